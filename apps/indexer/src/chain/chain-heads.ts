import { commonHead, type ObserverPair } from '@launch/chain';
import {
  finalEthereumBlock,
  finalLaunchBlock,
  postedThrough,
  type FinalBlock,
  type RollupAnchors,
} from '@launch/chain/sources';
import type { Hex } from '@launch/contracts';

export interface Place {
  readonly number: bigint;
  readonly hash: Hex;
}

/** How far a chain is, as both observers have it. */
export interface ChainView {
  readonly head: Place;
  /** The newest block that is final; null while none is known to be. */
  readonly final: Place | null;
  /** Why nothing can be said of what is final now; null where it can. */
  readonly finalReason: string | null;
}

export type HeadsView = ChainView | { readonly kind: 'indeterminate'; readonly reason: string };

export interface ChainHeads {
  view(): Promise<HeadsView>;
  /** The last block that was posted to Ethereum together with this one; null while it was not, or nothing can be said. */
  postedWith(block: Place): Promise<bigint | null>;
}

export interface ChainPace {
  readonly headMs: number;
  readonly finalMs: number;
}

/**
 * Head and final block of a chain, read once for all of its sources. What was final stays so: a later answer without a
 * statement, or from an observer that is behind, takes nothing back.
 */
export function createChainHeads(
  chain: {
    readonly pair: ObserverPair;
    readonly judgeFinal: () => Promise<FinalBlock>;
    readonly postedWith: ChainHeads['postedWith'];
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
  let asked: { readonly block: Place; readonly at: number } | null = null;
  const readHead = shared(headMs, now, () => commonHead(chain.pair));
  return {
    async view() {
      // Before the head: a final block is in every chain that a later head ends.
      const { place, reason } = await readFinal();
      const head = await readHead();
      if (head.kind === 'indeterminate') return head;
      const { number, hash } = head.value;
      return { head: { number, hash }, final: place, finalReason: reason };
    },
    async postedWith(block) {
      if (asked?.block.hash === block.hash && now() - asked.at < finalMs) return null;
      asked = { block, at: now() };
      return chain.postedWith(block);
    },
  };
}

export const launchChain = (l2: ObserverPair, l1: ObserverPair, anchors: RollupAnchors) => ({
  pair: l2,
  judgeFinal: () => finalLaunchBlock({ l2, l1 }, anchors),
  async postedWith(block: Place) {
    const posted = await postedThrough({ l2, l1 }, anchors, block);
    return posted.kind === 'agreed' ? posted.through : null;
  },
});

/** Its blocks are where the others are posted to. */
export const ethereum = (l1: ObserverPair) => ({
  pair: l1,
  judgeFinal: () => finalEthereumBlock(l1),
  postedWith: async ({ number }: Place) => number,
});

/** An answer that is good for a while; those who ask meanwhile wait for the same one. */
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
