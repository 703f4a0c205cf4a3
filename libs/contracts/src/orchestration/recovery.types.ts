import type { Hex } from '../primitives/scalars.schema.js';

/** A router whose stamps are searched for unreported launches. */
export interface RecoveryTarget {
  readonly router: Hex;
  /** Decimal block before which no unfinished launch can have been included; null when none is unfinished. */
  readonly fromBlock: string | null;
}

/** A launch's stamp in a finalized block, as both L2 observers report it. */
export interface FoundStamp {
  readonly onchainLaunchId: Hex;
  readonly transactionHash: Hex;
}

export interface RecoveryBlock {
  readonly blockNumber: string;
  readonly blockHash: Hex;
}

/** The finalized block of both L2 observers; null with the reason while they make no statement. */
export interface FinalizedHead {
  readonly head: RecoveryBlock | null;
  readonly reason: string | null;
}

/** The head is read before the targets, so a launch that is handed off after both reads is in a later block. */
export type ScanStampsInput = RecoveryTarget & FinalizedHead;

/** One step of the search; it moves no checkpoint. */
export interface StampScan {
  readonly router: Hex;
  readonly observation: 'agreed' | 'indeterminate';
  readonly reason: string | null;
  readonly stamps: readonly FoundStamp[];
  /** The checkpoint before the search; null for a first search. */
  readonly before: RecoveryBlock | null;
  /** The checkpoint after the stamps are resolved; equals `before` if nothing new was searched. */
  readonly through: RecoveryBlock | null;
  /** The finalized block of both observers. */
  readonly head: RecoveryBlock | null;
  /** Delay until the next search, in milliseconds; 0 while there is more to search. */
  readonly nextScanMs: number;
}

/** The search as readiness reports it. */
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
  /** Moves the checkpoint from the value that the scan read; a late call of an earlier run changes nothing. */
  commitCheckpoint(input: Pick<StampScan, 'router' | 'before' | 'through'>): Promise<void>;
}

/** Steps of the recovery on `launch-gateway`, the only service that knows the launches. */
export interface RecoveryResolveActivities {
  /** Returns the router of the current context and those of unfinished launches, at most eight. */
  recoveryTargets(): Promise<readonly RecoveryTarget[]>;
  /**
   * Reports each stamp's transaction to the observation of its unfinished launch, and starts an observation if none
   * runs.
   */
  resolveStamps(input: {
    readonly router: Hex;
    readonly stamps: readonly FoundStamp[];
  }): Promise<{ readonly woken: number }>;
  recordRecovery(report: RecoveryReport): Promise<void>;
}
