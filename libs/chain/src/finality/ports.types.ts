import type { Hex } from 'viem';
import type { L1Checkpoint, L1Posting, L2Inclusion } from '@launch/contracts/launch';
import type { DerivedContract } from '@launch/contracts/multi-role';
import type { ObservedGetters, ObservedGettersV1 } from '@launch/evm';
import type { BlockRef } from '../reads/block-ref.js';
import type { ChainTransaction } from '../reads/get-transaction.js';
import type { BlockHeader, ChainLog, ChainReceipt } from '../rpc/rpc-answers.schema.js';
import type { DerivedTarget, LaunchTarget, MultiRoleTarget, StampedTarget } from './launch-target.js';

/** The contracts of a rollup that posts batches, and the earliest time of a batch that can hold the block. */
export interface RollupPlace {
  readonly sequencerInbox: Hex;
  readonly bridge: Hex;
  readonly nodeInterface: Hex;
  /** L2 block of the rollup's message 0. */
  readonly genesisBlock: bigint;
  /** Unix seconds: older batches cannot hold the block. */
  readonly window: { readonly validAfter: bigint };
}

/**
 * The reads that the finality rule needs from one L2 provider. Every method throws ChainError if there is no answer.
 */
export interface L2FinalityObserver {
  readonly id: string;
  transaction(hash: Hex): Promise<ChainTransaction | null>;
  receipt(hash: Hex): Promise<ChainReceipt | null>;
  /** Returns a receipt that is too long to be read whole, with the logs of one contract alone. */
  longReceipt(hash: Hex, contract: Hex): Promise<ChainReceipt | null>;
  header(at: BlockRef): Promise<BlockHeader | null>;
  /**
   * Returns transactions whose logs at the router identify the launch or step, from its simulation's block to the head.
   */
  stampTransactions(target: LaunchTarget): Promise<Hex[]>;
  /** Returns the router's logs that identify the launch or step, in one block. */
  stampLogs(target: LaunchTarget, blockHash: Hex): Promise<ChainLog[]>;
  nonceUsed(target: LaunchTarget, at: BlockRef): Promise<boolean>;
  /** Reads router V2's getters at a block. */
  getters(target: MultiRoleTarget, blockHash: Hex): Promise<ObservedGetters>;
  /** Reads router V1's getters at a block. */
  gettersV1(target: StampedTarget, blockHash: Hex): Promise<ObservedGettersV1>;
  codeHash(account: Hex, blockHash: Hex): Promise<Hex | null>;
  /** Reads the router's record of one account at a block; a zero word without a record. */
  stampedAccount(
    target: MultiRoleTarget,
    account: Hex,
    blockHash: Hex,
  ): Promise<{ readonly componentProof: Hex; readonly launchIdByComponent: Hex }>;
  /**
   * Returns the number of the posted batch that holds a block, by the node's own reading of the inbox; null while none
   * does.
   */
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
  /** The number in the call; 2^256 - 1 means "the next one". */
  readonly sequenceNumber: bigint;
  readonly prevMessageCount: bigint;
  readonly newMessageCount: bigint;
}

/** The reads that the finality rule needs from one L1 provider. */
export interface L1FinalityObserver {
  readonly id: string;
  header(at: BlockRef): Promise<BlockHeader | null>;
  /** Returns the deliveries of one batch number. Searches `expectedAt` first, then the recent past. */
  batchDeliveries(rollup: RollupPlace, batchNumber: bigint, expectedAt: bigint | null): Promise<BatchDelivery[]>;
  /** Returns null if the transaction is unknown or is not a call that posts a batch. */
  batchBounds(rollup: RollupPlace, transactionHash: Hex): Promise<BatchBounds | null>;
  /** Returns the bridge's accumulator after a batch, at a block; null if there is none yet. */
  accumulator(rollup: RollupPlace, batchNumber: bigint, blockHash: Hex): Promise<Hex | null>;
}

/** One observer's answer about a candidate hash, classified. */
export type Sighting = 'exact' | 'foreign' | 'absent' | 'no-answer';

export interface Candidate {
  readonly hash: Hex;
  readonly sightings: readonly [Sighting, Sighting];
  /**
   * An observer has the exact transaction, and its hash and sender follow from its signature, so it cannot be invented.
   */
  readonly authentic: boolean;
}

export type Pair<O> = readonly [O, O];

/** The reads that posting and finality need from an L2 provider, regardless of the block's content. */
export type L2BlockObserver = Pick<L2FinalityObserver, 'id' | 'header' | 'batchContaining'>;

/** Both observers of both chains, a block's rollup, and the clock. */
export interface BlockPoll {
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

/** The same with the launch or step to find. */
export interface Poll<Target extends LaunchTarget = LaunchTarget> extends BlockPoll {
  readonly l2: Pair<L2FinalityObserver>;
  readonly target: Target;
  /** The version of the rule from the launch's own context. */
  readonly rule: FinalityRule;
}

/**
 * The agreed state of a stage. It holds, or both observers deny it (so the stage falls), or there is no statement and
 * the stage does not change.
 */
export type StageVerdict<T> =
  | { readonly kind: 'holds'; readonly value: T }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unknown'; readonly reason: string };

/**
 * One version of the finality rule: the judge of each stage. The order of the stages and the search for a launch are
 * common to all versions. A version with more conditions has its own judges, which may call these first.
 */
export interface FinalityRule {
  /** `providerProfile.finalityPolicyId` of the contexts whose launches it judges. */
  readonly policyId: string;
  inclusion(poll: Poll, candidate: Candidate): Promise<StageVerdict<L2Inclusion>>;
  /** @param before the last known posting, if any. */
  posting(poll: Poll, inclusion: L2Inclusion, before: L1Posting | null): Promise<StageVerdict<L1Posting>>;
  finality(poll: Poll, inclusion: L2Inclusion, posting: L1Posting): Promise<StageVerdict<L1Checkpoint>>;
  /** Judges each contract that a V3 launch derives. */
  derived(
    poll: Poll,
    derived: readonly DerivedTarget[],
    inclusion: L2Inclusion,
  ): Promise<StageVerdict<DerivedContract[]>>;
  /** Judges whether the permit can no longer be used. */
  expiry(poll: Poll): Promise<StageVerdict<true>>;
}

export const unknown = (reason: string): { readonly kind: 'unknown'; readonly reason: string } => ({
  kind: 'unknown',
  reason,
});
export const ABSENT = { kind: 'absent' } as const;
