import type { L1Checkpoint, L1Posting } from '@launch/contracts/launch';
import type { Indeterminate } from '../agreement/agreement.js';
import { agreedHeader, commonHead } from '../agreement/common-head.js';
import { judgeBlockFinality } from '../finality/judge-finality.js';
import { judgeBlockPosting } from '../finality/judge-posting.js';
import { rpcL1Observer } from '../finality/rpc-l1.observer.js';
import { rpcL2BlockObserver } from '../finality/rpc-l2.observer.js';
import type { BlockPoll, L2Block, RollupPlace } from '../finality/ports.types.js';
import { getHeader } from '../reads/get-header.js';
import type { ObserverPair, RpcObserver } from '../rpc/observer.js';

/** The rollup's contracts and its first block. */
export type RollupAnchors = Omit<RollupPlace, 'window'>;

/** The proof that a block of the launch chain is final; no entry for Ethereum, whose finality is its own. */
export interface FinalityEvidence {
  readonly posting: L1Posting;
  readonly checkpoint: L1Checkpoint;
}

export type FinalBlock =
  | { readonly kind: 'final'; readonly block: L2Block; readonly evidence: FinalityEvidence | null }
  /** No block is final yet. */
  | { readonly kind: 'none' }
  | Indeterminate;

/** Batches judged below the newest one: an L1 observer may lag behind the L2 nodes. */
const MAX_BATCHES = 8;

/** Seconds by which a sequencer's clock may be ahead of Ethereum's; Nitro allows an hour. */
const CLOCK_SKEW = 3_600n;

/** Bounds the search: a batch is posted after the blocks in it were made. */
const rollupAt = (anchors: RollupAnchors, timestamp: bigint): RollupPlace => ({
  ...anchors,
  window: { validAfter: timestamp > CLOCK_SKEW ? timestamp - CLOCK_SKEW : 0n },
});

/**
 * Finds the newest block of the launch chain that is final by `chain-ethereum-finalized-v1`; every block below it is final
 * too (docs/reference/finality.md#finality-of-a-block). Judges from both observers' finalized block down, batch by batch.
 */
export async function finalLaunchBlock(
  observers: { readonly l2: ObserverPair; readonly l1: ObserverPair },
  anchors: RollupAnchors,
  now: () => number = Date.now,
): Promise<FinalBlock> {
  const newest = await commonHead(observers.l2, 'finalized');
  if (newest.kind === 'indeterminate') return newest;
  let { number, hash, timestamp } = newest.value;
  for (let batch = 0; batch < MAX_BATCHES && number > anchors.genesisBlock; batch += 1) {
    const block: L2Block = { number, hash };
    const asked = pollOf(observers, anchors, timestamp, now);
    const posting = await judgeBlockPosting(asked, block, null);
    if (posting.kind === 'unknown') return { kind: 'indeterminate', reason: posting.reason };
    if (posting.kind === 'absent') return { kind: 'none' };
    const checkpoint = await judgeBlockFinality(asked, block, posting.value, () => replacedFault(observers.l2, block));
    if (checkpoint.kind === 'unknown') return { kind: 'indeterminate', reason: checkpoint.reason };
    if (checkpoint.kind === 'holds')
      return { kind: 'final', block, evidence: { posting: posting.value, checkpoint: checkpoint.value } };
    const below = await agreedHeader<RpcObserver>(observers.l2, BigInt(posting.value.firstL2Block) - 1n, getHeader);
    if (below.kind === 'indeterminate') return below;
    ({ number, hash, timestamp } = below.value);
  }
  return { kind: 'none' };
}

/**
 * Returns the last block of the batch that holds a block of the launch chain, by both observers of both chains; null
 * while no such batch was posted.
 */
export async function postedThrough(
  observers: { readonly l2: ObserverPair; readonly l1: ObserverPair },
  anchors: RollupAnchors,
  block: L2Block,
): Promise<{ readonly kind: 'agreed'; readonly through: bigint | null } | Indeterminate> {
  const header = await agreedHeader<RpcObserver>(observers.l2, block.number, getHeader);
  if (header.kind === 'indeterminate') return header;
  const posting = await judgeBlockPosting(pollOf(observers, anchors, header.value.timestamp), block, null);
  if (posting.kind === 'unknown') return { kind: 'indeterminate', reason: posting.reason };
  return { kind: 'agreed', through: posting.kind === 'absent' ? null : BigInt(posting.value.lastL2Block) };
}

/** @param madeAt the time of the block, Unix seconds. */
const pollOf = (
  { l2, l1 }: { readonly l2: ObserverPair; readonly l1: ObserverPair },
  anchors: RollupAnchors,
  madeAt: bigint,
  now: () => number = Date.now,
): BlockPoll => ({
  l2: [rpcL2BlockObserver(l2[0]), rpcL2BlockObserver(l2[1])],
  l1: [rpcL1Observer(l1[0]), rpcL1Observer(l1[1])],
  target: rollupAt(anchors, madeAt),
  now,
});

/** Returns the newest block that both Ethereum observers have finalized: the lower of both, equal by hash. */
export async function finalEthereumBlock(l1: ObserverPair): Promise<FinalBlock> {
  const common = await commonHead(l1, 'finalized');
  if (common.kind === 'indeterminate') return common;
  return { kind: 'final', block: { number: common.value.number, hash: common.value.hash }, evidence: null };
}

async function replacedFault(l2: ObserverPair, { number, hash }: L2Block): Promise<string | null> {
  const header = await agreedHeader<RpcObserver>(l2, number, getHeader);
  if (header.kind === 'indeterminate') return header.reason;
  return header.value.hash === hash ? null : `block ${number}: not the canonical one any more`;
}
