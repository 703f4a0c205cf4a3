import type { Hex } from '../primitives/scalars.schema.js';

/** A router whose stamps are searched for launches that nobody reported. */
export interface RecoveryTarget {
  readonly router: Hex;
  /** Decimal block before which no unfinished launch can have been included; null when none is unfinished. */
  readonly fromBlock: string | null;
}

/** A launch's stamp, as both L2 observers showed it in a finalized block. */
export interface FoundStamp {
  readonly onchainLaunchId: Hex;
  readonly transactionHash: Hex;
}

export interface RecoveryBlock {
  readonly blockNumber: string;
  readonly blockHash: Hex;
}

/** The finalized block both L2 observers have; null with the reason while they make no statement. */
export interface FinalizedHead {
  readonly head: RecoveryBlock | null;
  readonly reason: string | null;
}

/** The head is read before the targets are: a launch handed off after both is in a later block. */
export type ScanStampsInput = RecoveryTarget & FinalizedHead;

/** One step of the search; it moves no checkpoint. */
export interface StampScan {
  readonly router: Hex;
  readonly observation: 'agreed' | 'indeterminate';
  readonly reason: string | null;
  readonly stamps: readonly FoundStamp[];
  /** The checkpoint as it was found; null for a first search. */
  readonly before: RecoveryBlock | null;
  /** Where the checkpoint belongs once the stamps are resolved; `before` when nothing new was searched. */
  readonly through: RecoveryBlock | null;
  /** The finalized block both observers have. */
  readonly head: RecoveryBlock | null;
  /** When to search again, in milliseconds from now; 0 while there is more. */
  readonly nextScanMs: number;
}

/** What readiness tells about the search. */
export interface RecoveryReport {
  readonly router: Hex;
  readonly checkpoint: RecoveryBlock | null;
  readonly head: RecoveryBlock | null;
  readonly observation: 'agreed' | 'indeterminate';
  readonly reason: string | null;
}

/** Steps of the recovery on `launch-finality`. */
export interface RecoveryScanActivities {
  finalizedHead(): Promise<FinalizedHead>;
  scanStamps(input: ScanStampsInput): Promise<StampScan>;
  /** Moves the checkpoint from where a scan found it; a late call of an earlier run changes nothing. */
  commitCheckpoint(input: Pick<StampScan, 'router' | 'before' | 'through'>): Promise<void>;
}

/** Steps of the recovery on `launch-gateway`, which alone knows the launches. */
export interface RecoveryResolveActivities {
  /** The current context's router and those of unfinished launches, at most eight. */
  recoveryTargets(): Promise<readonly RecoveryTarget[]>;
  /** Names each stamp's transaction to the observation of its unfinished launch, starting one where none runs. */
  resolveStamps(input: {
    readonly router: Hex;
    readonly stamps: readonly FoundStamp[];
  }): Promise<{ readonly woken: number }>;
  recordRecovery(report: RecoveryReport): Promise<void>;
}
