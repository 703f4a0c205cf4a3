import { commonHead, type ObserverPair } from '@launch/chain';
import {
  createChainReads,
  finalEthereumBlock,
  finalLaunchBlock,
  postedThrough,
  type FinalBlock,
  type RangeReads,
  type RollupAnchors,
} from '@launch/chain/sources';
import type { Hex } from '@launch/contracts/primitives';

export interface Place {
  readonly number: bigint;
  readonly hash: Hex;
}

/** The progress of a chain, as both observers report it. */
export interface ChainView {
  readonly head: Place;
  /** The newest final block; null while none is known. */
  readonly final: Place | null;
  /** The reason why the final block is unknown now; null if it is known. */
  readonly finalReason: string | null;
  /** Reads of blocks under this view, shared by the sources of the chain (ADR 0080). */
  readonly reads: RangeReads;
}

export type HeadsView = ChainView | { readonly kind: 'indeterminate'; readonly reason: string };

/** The batch of a block on Ethereum and its last block, by both observers of both chains. */
export type Posting =
  | { readonly kind: 'posted'; readonly through: bigint }
  | { readonly kind: 'absent' }
  /** Unknown, or read a moment ago. */
  | { readonly kind: 'unknown' };

export interface ChainHeads {
  view(): Promise<HeadsView>;
  postingOf(block: Place): Promise<Posting>;
}

/** The number of blocks remembered as recently read; one more clears the memory. */
const ASKED_AT_ONCE = 256;

export interface ChainPace {
  readonly headMs: number;
  readonly finalMs: number;
}

/**
 * Reads the head and the final block of a chain once for all of its sources. A final block stays final: a later missing
 * answer, or one of a lagging observer, does not revoke it.
 */
export function createChainHeads(
  chain: {
    readonly pair: ObserverPair;
    readonly judgeFinal: () => Promise<FinalBlock>;
    readonly postingOf: ChainHeads['postingOf'];
  },
  { headMs, finalMs }: ChainPace,
  now: () => number = Date.now,
): ChainHeads {
  let final: { readonly place: Place | null; readonly reason: string | null } = { place: null, reason: null };
  const readFinal = shared(finalMs, now, async () => {
    const judged = await chain.judgeFinal();
    if (judged.kind === 'indeterminate') final = { ...final, reason: judged.reason };
    else if (judged.kind === 'none') final = { ...final, reason: null };
    else if (final.place === null || judged.block.number > final.place.number)
      final = { place: judged.block, reason: null };
    else final = { ...final, reason: null };
    return final;
  });
  const asked = new Map<Hex, number>();
  const chainReads = createChainReads(chain.pair);
  const readHead = shared(headMs, now, () => commonHead(chain.pair));
  let last: { readonly of: readonly [unknown, unknown]; readonly view: ChainView } | undefined;
  return {
    async view() {
      // Read before the head: a final block is in every chain that a later head ends.
      const known = await readFinal();
      const head = await readHead();
      if (head.kind === 'indeterminate') return head;
      if (last?.of[0] !== known || last.of[1] !== head) {
        const { number, hash } = head.value;
        // A new head or final block invalidates every answer from before.
        const reads = chainReads.under();
        const view = { head: { number, hash }, final: known.place, finalReason: known.reason, reads };
        last = { of: [known, head], view };
      }
      return last.view;
    },
    async postingOf(block) {
      const at = asked.get(block.hash);
      if (at !== undefined && now() - at < finalMs) return { kind: 'unknown' };
      if (asked.size >= ASKED_AT_ONCE) asked.clear();
      asked.set(block.hash, now());
      return chain.postingOf(block);
    },
  };
}

export const launchChain = (l2: ObserverPair, l1: ObserverPair, anchors: RollupAnchors) => ({
  pair: l2,
  judgeFinal: () => finalLaunchBlock({ l2, l1 }, anchors),
  async postingOf(block: Place): Promise<Posting> {
    const posted = await postedThrough({ l2, l1 }, anchors, block);
    if (posted.kind === 'indeterminate') return { kind: 'unknown' };
    return posted.through === null ? { kind: 'absent' } : { kind: 'posted', through: posted.through };
  },
});

/** The blocks of Ethereum need no posting. */
export const ethereum = (l1: ObserverPair) => ({
  pair: l1,
  judgeFinal: () => finalEthereumBlock(l1),
  postingOf: async ({ number }: Place): Promise<Posting> => ({ kind: 'posted', through: number }),
});

/** Caches an answer for a while; concurrent callers share one request. */
function shared<T>(everyMs: number, now: () => number, read: () => Promise<T>): () => Promise<T> {
  let at = Number.NEGATIVE_INFINITY;
  let answer: Promise<T> | undefined;
  return () => {
    if (answer !== undefined && now() - at < everyMs) return answer;
    at = now();
    const asked = read();
    answer = asked;
    asked.catch(() => {
      if (answer === asked) answer = undefined;
    });
    return asked;
  };
}
