import type { Hex } from 'viem';
import type { ObservedStage } from '@launch/contracts/orchestration';
import { word } from './launch.fixture.js';
import type { LaunchTarget } from '../launch-target.js';

export interface L2Block {
  readonly number: bigint;
  readonly hash: Hex;
  readonly timestamp: bigint;
  readonly launches: readonly { readonly hash: Hex; readonly status: 'success' | 'reverted' }[];
}
export interface Batch {
  readonly number: bigint;
  readonly prevMessageCount: bigint;
  readonly newMessageCount: bigint;
  readonly transactionHash: Hex;
  readonly afterAcc: Hex;
}
export interface L1Block {
  readonly number: bigint;
  readonly hash: Hex;
  readonly timestamp: bigint;
  readonly batches: readonly Batch[];
}

/** Both chains at one instant; never changed once made, so that a lagging observer can keep an old one. */
export interface Snapshot {
  readonly l2: readonly L2Block[];
  readonly l1: readonly L1Block[];
  /** Launch transactions ever broadcast. */
  readonly sent: readonly Hex[];
  readonly l1Finality: number;
}

export const l2Head = (at: Snapshot): L2Block => last(at.l2);
export const l1Head = (at: Snapshot): L1Block => last(at.l1);
export const l1Finalized = (at: Snapshot): L1Block =>
  at.l1[Math.max(0, at.l1.length - 1 - at.l1Finality)] ?? l1Head(at);
export const batchesUpTo = (at: Snapshot, l1Block: bigint): Batch[] =>
  at.l1.flatMap((block) => (block.number <= l1Block ? block.batches : []));
const messagesIn = (batches: readonly Batch[]): bigint => batches.at(-1)?.newMessageCount ?? 1n;
/** The last block of the last batch that a finalized L1 block holds. */
export const l2Finalized = (at: Snapshot): L2Block =>
  at.l2[Number(messagesIn(batchesUpTo(at, l1Finalized(at).number))) - 1] ?? l2Head(at);
const last = <T>(items: readonly T[]): T => items[items.length - 1] as T;

export const stampedBy = (at: Snapshot, number: bigint): boolean =>
  at.l2.some((block) => block.number <= number && block.launches.some(({ status }) => status === 'success'));

/** The modelled chains: time moves by events, each of which leaves a new snapshot. */
export class World {
  readonly history: Snapshot[];
  private salt = 0;

  constructor(
    private readonly target: LaunchTarget,
    start: bigint,
    l1Finality: number,
  ) {
    const genesis = { number: 0n, hash: word('l2 genesis'), timestamp: start, launches: [] };
    const batch: Batch = {
      number: 0n,
      prevMessageCount: 0n,
      newMessageCount: 1n,
      transactionHash: word('batch 0'),
      afterAcc: word('acc 0'),
    };
    this.history = [
      {
        l2: [genesis],
        l1: [{ number: 0n, hash: word('l1 genesis'), timestamp: start, batches: [batch] }],
        sent: [],
        l1Finality,
      },
    ];
  }

  get now(): Snapshot {
    return last(this.history);
  }

  private become(change: Partial<Snapshot>): void {
    this.history.push({ ...this.now, ...change });
  }

  /** Mines one L2 block, with every sent launch that is not in the chain yet if it is given a status. */
  mineL2(seconds: bigint, status: 'success' | 'reverted' | null = null): void {
    const { l2, sent } = this.now;
    const head = last(l2);
    const timestamp = head.timestamp + seconds;
    const mined = new Set(l2.flatMap((block) => block.launches.map(({ hash }) => hash)));
    const waiting = sent.filter((hash) => !mined.has(hash));
    const { validAfter, deadline } = this.target.window;
    const permitted = timestamp >= validAfter && timestamp <= deadline;
    const launches =
      status === null ? [] : waiting.slice(0, 1).map((hash) => ({ hash, status: this.outcome(l2, status, permitted) }));
    this.become({ l2: [...l2, { number: head.number + 1n, hash: this.fresh('l2'), timestamp, launches }] });
  }

  /** The router itself refuses a spent nonce and a time outside the window. */
  private outcome(l2: readonly L2Block[], wanted: 'success' | 'reverted', permitted: boolean): 'success' | 'reverted' {
    const spent = l2.some((block) => block.launches.some(({ status }) => status === 'success'));
    return permitted && !spent ? wanted : 'reverted';
  }

  send(): Hex {
    const hash = this.fresh('launch');
    this.become({ sent: [...this.now.sent, hash] });
    return hash;
  }

  mineL1(seconds: bigint, post: boolean): void {
    const { l1, l2 } = this.now;
    const head = last(l1);
    const posted = batchesUpTo(this.now, head.number);
    const before = last(posted);
    const count = BigInt(l2.length);
    const batch = {
      number: before.number + 1n,
      prevMessageCount: before.newMessageCount,
      newMessageCount: count,
      transactionHash: this.fresh('batch'),
      afterAcc: this.fresh('acc'),
    };
    const batches = post && count > before.newMessageCount ? [batch] : [];
    this.become({
      l1: [...l1, { number: head.number + 1n, hash: this.fresh('l1'), timestamp: head.timestamp + seconds, batches }],
    });
  }

  /**
   * Replaces up to `depth` unfinalized L1 blocks by as many others at the same heights. Their batches are dropped,
   * stay at their height under another hash, or all move up into the newest block.
   */
  reorgL1(depth: number, batches: 'drop' | 'keep' | 'move'): void {
    this.become({ l1: this.replacedL1(depth, batches) });
  }

  private replacedL1(depth: number, batches: 'drop' | 'keep' | 'move'): L1Block[] {
    const { l1 } = this.now;
    const keep = Math.max(Number(l1Finalized(this.now).number) + 1, l1.length - depth);
    const gone = l1.slice(keep);
    const moved = batches === 'move' ? gone.flatMap((block) => block.batches) : [];
    const kept = (block: L1Block, index: number): readonly Batch[] =>
      batches === 'keep' ? block.batches : index === gone.length - 1 ? moved : [];
    return [
      ...l1.slice(0, keep),
      ...gone.map((block, index) => ({ ...block, hash: this.fresh('l1'), batches: kept(block, index) })),
    ];
  }

  /** Replaces unposted L2 blocks by as many new ones; a launch in them is dropped, kept elsewhere or turned into a revert. */
  reorgL2(depth: number, launches: 'drop' | 'keep' | 'revert'): void {
    this.become({ l2: this.replacedL2(this.now, depth, launches) });
  }

  /** At once: the L1 loses every unfinalized batch, and the L2 what they held. What is posted next under their numbers is another. */
  reorgPosted(launches: 'drop' | 'keep' | 'revert'): void {
    const l1 = this.replacedL1(this.now.l1.length, 'drop');
    this.become({ l1, l2: this.replacedL2({ ...this.now, l1 }, this.now.l2.length, launches) });
  }

  private replacedL2(at: Snapshot, depth: number, launches: 'drop' | 'keep' | 'revert'): L2Block[] {
    const { l2 } = at;
    const keep = Math.max(Number(messagesIn(batchesUpTo(at, l1Head(at).number))), l2.length - depth);
    const change = (block: L2Block): L2Block['launches'] => {
      if (launches === 'drop') return [];
      return launches === 'keep' ? block.launches : block.launches.map(({ hash }) => ({ hash, status: 'reverted' }));
    };
    return [
      ...l2.slice(0, keep),
      ...l2.slice(keep).map((block) => ({ ...block, hash: this.fresh('l2'), launches: change(block) })),
    ];
  }

  private fresh(kind: string): Hex {
    return word(`${kind} ${++this.salt}`);
  }
}

/** Blocks of either chain from which a fork goes its own way. */
const FORK_DEPTH = 6;

/**
 * Another chain that is whole in itself, as an observer on the wrong side of a partition sees it: the same heights,
 * other hashes, and a launch that was sent is in it, posted and finalized already. It can invent none: nobody else signs.
 */
export function forkOf(at: Snapshot, name: string): Snapshot {
  const other = (hash: Hex): Hex => word(`${name} ${hash}`);
  const [sent] = at.sent;
  const from = Math.max(1, at.l2.length - FORK_DEPTH);
  const launched = at.l2.slice(0, from).some(({ launches }) => launches.some(({ status }) => status === 'success'));
  const l2 = at.l2.map((block, index) => {
    if (index < from) return block;
    return {
      ...block,
      hash: other(block.hash),
      launches: index === from && !launched && sent !== undefined ? [{ hash: sent, status: 'success' as const }] : [],
    };
  });
  const l1From = Math.max(1, at.l1.length - FORK_DEPTH);
  const kept = at.l1.slice(0, l1From);
  const before = last(kept.flatMap(({ batches }) => batches));
  const batch = {
    number: before.number + 1n,
    prevMessageCount: before.newMessageCount,
    newMessageCount: BigInt(l2.length),
    transactionHash: other(before.transactionHash),
    afterAcc: other(before.afterAcc),
  };
  const isNew = batch.newMessageCount > batch.prevMessageCount;
  const l1 = [
    ...kept,
    ...at.l1
      .slice(l1From)
      .map((block, index) => ({ ...block, hash: other(block.hash), batches: index === 0 && isNew ? [batch] : [] })),
  ];
  return { ...at, l2, l1, l1Finality: 0 };
}

/** The truth: where the launch is, by the chains themselves. */
export function truthOf(at: Snapshot, target: LaunchTarget): ObservedStage {
  const block = at.l2.find(({ launches }) => launches.some(({ status }) => status === 'success'));
  if (block !== undefined) {
    const posting = at.l1.find(({ batches }) =>
      batches.some((batch) => block.number >= batch.prevMessageCount && block.number < batch.newMessageCount),
    );
    if (posting === undefined) return 'included';
    return posting.number <= l1Finalized(at).number && block.number <= l2Finalized(at).number ? 'finalized' : 'posted';
  }
  const finalized = l2Finalized(at);
  const { validAfter, deadline } = target.window;
  // Until the permit can no longer be used, another sending may still succeed: neither a revert nor silence is an end.
  if (finalized.timestamp <= deadline) return at.sent.length > 0 ? 'submitted' : 'pending';
  const revertedInWindow = at.l2.some(
    ({ timestamp, launches }) => timestamp >= validAfter && timestamp <= deadline && launches.length > 0,
  );
  return revertedInWindow ? 'reverted_finalized' : 'expired';
}
