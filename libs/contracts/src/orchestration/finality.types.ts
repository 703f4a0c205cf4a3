import type { AnyFinding } from '../errors/custom-launch.catalogue.js';
import type { WalletReason } from '../states/custom-launch-states.js';
import type { LaunchFamily } from '../states/launch-families.js';
import type { L1Checkpoint, L1Posting, L2Inclusion } from '../launch/finality-parts.schema.js';
import type { DerivedContract, FinalityStatusV3 } from '../multi-role/finality-v3.schema.js';
import type { Hex, Sha256Digest } from '../primitives/scalars.schema.js';
import type { RecoveryScanActivities } from './recovery.types.js';
import type { StatementSignature } from './statement.types.js';

/** Input of `observeLaunch`; the activities read everything else from the blob store by these hashes. */
export interface ObserveLaunchInput {
  readonly launchId: string;
  /** Absent from inputs of multi-role launches. */
  readonly family?: LaunchFamily;
  readonly requestSha256: Sha256Digest;
  readonly requestHash: Hex;
  readonly handoffSha256: Sha256Digest;
  readonly controller: string;
  /** Transaction hashes from hints so far; a discovery aid without authority. */
  readonly hints: readonly Hex[];
  /** Present after the workflow continued as new. */
  readonly resume?: SignedPoll;
}

/** The observed stage of a launch. Posting is evidence inside the public state `included`. */
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

/**
 * The most transaction hashes of one observation: the 16 that a client may name, and room for those that the recovery
 * finds when all of these are wrong.
 */
export const MAX_HINTS = 20;

/** State that one poll passes to the next. */
export interface ObservationMemory {
  readonly stage: ObservedStage;
  readonly transactionHash: Hex | null;
  readonly inclusion: L2Inclusion | null;
  readonly posting: L1Posting | null;
  readonly checkpoint: L1Checkpoint | null;
  /** Time when the current stage was first seen, for the estimate of the next one. */
  readonly stageSince: string;
  readonly polls: number;
  /** Time of the observers' last statement; absent before the first. */
  readonly statedAt?: string;
  /** The current stage was seen soon after it began, so its duration can be measured. */
  readonly isStartSeen?: boolean;
  /** For V3 launches only: each derived contract, with its proof once it exists. */
  readonly derivedContracts?: readonly DerivedContract[];
}

export interface ObservePollInput {
  readonly launchId: string;
  readonly family?: LaunchFamily;
  readonly requestSha256: Sha256Digest;
  readonly handoffSha256: Sha256Digest;
  readonly hints: readonly Hex[];
  /** The previous poll. Its signature keeps a forged state from becoming this poll's. */
  readonly before: SignedPoll | null;
}

/** The statement of one poll. */
export interface ObservedPoll {
  readonly memory: ObservationMemory;
  readonly observation: {
    readonly status: 'agreed' | 'indeterminate';
    readonly reason: string | null;
    readonly at: string;
  };
  readonly estimatedNextStageAt: string | null;
  readonly basis: string | null;
  /** Blob of the evidence bundle, written for terminal stages. */
  readonly evidenceSha256: Sha256Digest | null;
  /** Findings of a failed launch; empty unless the stage is `reverted_finalized`. */
  readonly findings: readonly AnyFinding[];
  /** Present for V3 launches only: the binding of their projection. */
  readonly v3?: Pick<FinalityStatusV3, 'contextHash' | 'onchainLaunchId'>;
  /** For custom launches whose hand-off waits: the reason that blocks the wallet. Absent while that is unknown. */
  readonly wallet?: { readonly reason: WalletReason | null };
}

/** A poll with the signature of the finality worker, for its next poll and for the gateway. */
export interface SignedPoll extends ObservedPoll {
  readonly signed: StatementSignature;
}

export interface ObservePollResult extends SignedPoll {
  /** Delay until the next observation, in milliseconds. */
  readonly nextPollMs: number;
}

export interface PublishRecordInput {
  readonly launchId: string;
  readonly family?: LaunchFamily;
  readonly requestSha256: Sha256Digest;
  readonly handoffSha256: Sha256Digest;
  /** The poll that found the launch finalized, with its evidence. */
  readonly observed: SignedPoll;
}

/** The public record of a finalized launch, as the finality worker built it. */
export interface BuiltRecord {
  readonly recordSha256: Sha256Digest;
  readonly signed: StatementSignature;
}

/** Steps of observation; all on `launch-finality`. */
export interface FinalityActivities extends RecoveryScanActivities {
  /** Observes once through both observers of both chains; never changes state on disagreement. */
  observe(input: ObservePollInput): Promise<ObservePollResult>;
  /** Builds the public finalized record from finalized evidence; returns its blob. */
  buildFinalizedRecord(input: PublishRecordInput): Promise<BuiltRecord>;
}
