import type { AnyFinding } from '../errors/custom-launch.catalogue.js';
import type { WalletReason } from '../states/custom-launch-states.js';
import type { LaunchFamily } from '../states/launch-families.js';
import type { L1Checkpoint, L1Posting, L2Inclusion } from '../launch/finality-parts.schema.js';
import type { DerivedContract, FinalityStatusV3 } from '../multi-role/finality-v3.schema.js';
import type { Hex, Sha256Digest } from '../primitives/scalars.schema.js';
import type { RecoveryScanActivities } from './recovery.types.js';

/** Input of `observeLaunch`; everything else is read from the blob store by these hashes. */
export interface ObserveLaunchInput {
  readonly launchId: string;
  /** Absent from inputs of multi-role launches. */
  readonly family?: LaunchFamily;
  readonly requestSha256: Sha256Digest;
  readonly requestHash: Hex;
  readonly handoffSha256: Sha256Digest;
  readonly controller: string;
  /** Hashes hinted so far; a discovery aid without authority. */
  readonly hints: readonly Hex[];
  /** Set when the workflow continued as new. */
  readonly resume?: ObservationMemory;
}

/** Where a launch is seen to be; posting is evidence inside the public state `included`. */
export const OBSERVED_STAGES = [
  'pending',
  'submitted',
  'included',
  'posted',
  'finalized',
  'reverted_finalized',
  'expired',
] as const;
export type ObservedStage = (typeof OBSERVED_STAGES)[number];

/** Hashes that one observation looks at: the 16 a client may name, and room for what the recovery finds when they are all wrong. */
export const MAX_HINTS = 20;

/** What one poll carries to the next. */
export interface ObservationMemory {
  readonly stage: ObservedStage;
  readonly transactionHash: Hex | null;
  readonly inclusion: L2Inclusion | null;
  readonly posting: L1Posting | null;
  readonly checkpoint: L1Checkpoint | null;
  /** When the present stage was first seen, for the estimate of the next. */
  readonly stageSince: string;
  readonly polls: number;
  /** When the observers last made a statement; absent before the first. */
  readonly statedAt?: string;
  /** The present stage was seen soon after it began: its length is worth measuring. */
  readonly isStartSeen?: boolean;
  /** Of V3 launches alone: each derived contract, with its proof once there is one. */
  readonly derivedContracts?: readonly DerivedContract[];
}

export interface ObservePollInput {
  readonly launchId: string;
  readonly family?: LaunchFamily;
  readonly requestSha256: Sha256Digest;
  readonly handoffSha256: Sha256Digest;
  readonly hints: readonly Hex[];
  readonly memory: ObservationMemory | null;
}

export interface ObservePollResult {
  readonly memory: ObservationMemory;
  readonly observation: {
    readonly status: 'agreed' | 'indeterminate';
    readonly reason: string | null;
    readonly at: string;
  };
  readonly estimatedNextStageAt: string | null;
  readonly basis: string | null;
  /** When to look again, in milliseconds from now. */
  readonly nextPollMs: number;
  /** Blob of the evidence bundle, written for terminal stages. */
  readonly evidenceSha256: Sha256Digest | null;
  /** Why the launch failed; empty unless the stage is `reverted_finalized`. */
  readonly findings: readonly AnyFinding[];
  /** Present exactly for launches of V3: what their projection is bound to. */
  readonly v3?: Pick<FinalityStatusV3, 'contextHash' | 'onchainLaunchId'>;
  /** Of custom launches whose hand-off waits: what stands in the wallet's way. Absent while nobody can say. */
  readonly wallet?: { readonly reason: WalletReason | null };
}

export interface PublishRecordInput {
  readonly launchId: string;
  readonly family?: LaunchFamily;
  readonly requestSha256: Sha256Digest;
  readonly handoffSha256: Sha256Digest;
  readonly memory: ObservationMemory;
  readonly evidenceSha256: Sha256Digest;
  readonly finalizedAt: string;
}

/** Steps of observation; all on `launch-finality`. */
export interface FinalityActivities extends RecoveryScanActivities {
  /** One look through both observers of both chains; never moves state on disagreement. */
  observe(input: ObservePollInput): Promise<ObservePollResult>;
  /** Builds the public finalized record from finalized evidence; returns its blob. */
  buildFinalizedRecord(input: PublishRecordInput): Promise<{ readonly recordSha256: Sha256Digest }>;
}
