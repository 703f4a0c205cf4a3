import type { Hex } from 'viem';
import type { L1Checkpoint, L1Posting, L2Inclusion } from '@launch/contracts/launch';
import type { DerivedContract } from '@launch/contracts/multi-role';
import type { ObservedGetters, ObservedGettersV1 } from '@launch/evm';
import type { BlockRef } from '../reads/block-ref.js';
import type { ChainTransaction } from '../reads/get-transaction.js';
import type { BlockHeader, ChainLog, ChainReceipt } from '../rpc/rpc-answers.schema.js';
import type { DerivedTarget, LaunchTarget, MultiRoleTarget, StampedTarget } from './launch-target.js';

/** Where a rollup posts its batches, and since when one can hold the block that is asked about. */
export interface RollupPlace {
  readonly sequencerInbox: Hex;
  readonly bridge: Hex;
  readonly nodeInterface: Hex;
  /** L2 block of the rollup's message 0. */
  readonly genesisBlock: bigint;
  /** Unix seconds: older batches hold nothing that is asked about. */
  readonly window: { readonly validAfter: bigint };
}

/** What the finality rule asks of one L2 provider. Every method throws ChainError when there is no answer. */
export interface L2FinalityObserver {
  readonly id: string;
  transaction(hash: Hex): Promise<ChainTransaction | null>;
  receipt(hash: Hex): Promise<ChainReceipt | null>;
  /** A receipt that is too long to be read whole, with the logs of one contract alone. */
  longReceipt(hash: Hex, contract: Hex): Promise<ChainReceipt | null>;
  header(at: BlockRef): Promise<BlockHeader | null>;
  /** Transactions whose logs at the router name the launch or step, from the block it was simulated at to the head. */
  stampTransactions(target: LaunchTarget): Promise<Hex[]>;
  /** Logs of the router that name the launch or step, in one block. */
  stampLogs(target: LaunchTarget, blockHash: Hex): Promise<ChainLog[]>;
  nonceUsed(target: LaunchTarget, at: BlockRef): Promise<boolean>;
  /** What router V2's getters answer at a block. */
  getters(target: MultiRoleTarget, blockHash: Hex): Promise<ObservedGetters>;
  /** What router V1's getters answer at a block. */
  gettersV1(target: StampedTarget, blockHash: Hex): Promise<ObservedGettersV1>;
  codeHash(account: Hex, blockHash: Hex): Promise<Hex | null>;
  /** What the router records of one account at a block; a zero word where it knows nothing. */
  stampedAccount(
    target: MultiRoleTarget,
    account: Hex,
    blockHash: Hex,
  ): Promise<{ readonly componentProof: Hex; readonly launchIdByComponent: Hex }>;
  /** Number of the posted batch that holds a block, by the node's own reading of the inbox; null while none does. */
  batchContaining(rollup: RollupPlace, block: bigint): Promise<bigint | null>;
}

/** One `SequencerBatchDelivered` event. */
export interface BatchDelivery {
  readonly batchNumber: bigint;
  readonly afterAcc: Hex;
  readonly blockNumber: bigint;
  readonly blockHash: Hex;
  readonly transactionHash: Hex;
  readonly logIndex: bigint;
}

/** A batch's number and the message counts before and after it, from the call that posted it. */
export interface BatchBounds {
  /** The number the poster named; 2^256 - 1 stands for "the next one". */
  readonly sequenceNumber: bigint;
  readonly prevMessageCount: bigint;
  readonly newMessageCount: bigint;
}

/** What the finality rule asks of one L1 provider. */
export interface L1FinalityObserver {
  readonly id: string;
  header(at: BlockRef): Promise<BlockHeader | null>;
  /** Deliveries of one batch number; `expectedAt` is looked at first, the recent past after it. */
  batchDeliveries(rollup: RollupPlace, batchNumber: bigint, expectedAt: bigint | null): Promise<BatchDelivery[]>;
  /** Null when the transaction is unknown, or is no call that posts a batch. */
  batchBounds(rollup: RollupPlace, transactionHash: Hex): Promise<BatchBounds | null>;
  /** The bridge's accumulator after a batch, at a block; null where it has none yet. */
  accumulator(rollup: RollupPlace, batchNumber: bigint, blockHash: Hex): Promise<Hex | null>;
}

/** What one observer's answer makes of a candidate hash. */
export type Sighting = 'exact' | 'foreign' | 'absent' | 'no-answer';

export interface Candidate {
  readonly hash: Hex;
  readonly sightings: readonly [Sighting, Sighting];
  /** An observer shows the exact transaction, and its hash and sender follow from its signature: nobody can have made it up. */
  readonly authentic: boolean;
}

export type Pair<O> = readonly [O, O];

/** What posting and finality ask of an L2 provider, whatever stands in the block. */
export type L2BlockObserver = Pick<L2FinalityObserver, 'id' | 'header' | 'batchContaining'>;

/** Both observers of both chains, a block's rollup, and the time. */
export interface BlockLook {
  readonly l2: Pair<L2BlockObserver>;
  readonly l1: Pair<L1FinalityObserver>;
  readonly target: RollupPlace;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A block of the launch chain. */
export interface L2Block {
  readonly number: bigint;
  readonly hash: Hex;
}

/** The same, and the launch or step that is looked for. */
export interface Look<Target extends LaunchTarget = LaunchTarget> extends BlockLook {
  readonly l2: Pair<L2FinalityObserver>;
  readonly target: Target;
  /** The version of the rule that the launch's own context names. */
  readonly rule: FinalityRule;
}

/**
 * A stage as both observers see it. It holds, or both say it does not (so a stage goes back down), or there is no
 * statement and nothing moves.
 */
export type StageVerdict<T> =
  | { readonly kind: 'holds'; readonly value: T }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unknown'; readonly reason: string };

/**
 * One version of the finality rule: who judges each stage. The order of the stages and how a launch is found are
 * common to all versions. A version that asks more has judges of its own, which may ask what these do and then more.
 */
export interface FinalityRule {
  /** `providerProfile.finalityPolicyId` of the contexts whose launches it judges. */
  readonly policyId: string;
  inclusion(look: Look, candidate: Candidate): Promise<StageVerdict<L2Inclusion>>;
  /** @param before the posting as it was last known, if any. */
  posting(look: Look, inclusion: L2Inclusion, before: L1Posting | null): Promise<StageVerdict<L1Posting>>;
  finality(look: Look, inclusion: L2Inclusion, posting: L1Posting): Promise<StageVerdict<L1Checkpoint>>;
  /** The contracts that a V3 launch derives, each by itself. */
  derived(
    look: Look,
    derived: readonly DerivedTarget[],
    inclusion: L2Inclusion,
  ): Promise<StageVerdict<DerivedContract[]>>;
  /** Whether the permit can no longer be used. */
  expiry(look: Look): Promise<StageVerdict<true>>;
}

export const unknown = (reason: string): { readonly kind: 'unknown'; readonly reason: string } => ({
  kind: 'unknown',
  reason,
});
export const ABSENT = { kind: 'absent' } as const;
