import type { Hex } from 'viem';
import type { BloomHeader, ChainLog } from '../rpc/rpc-answers.schema.js';

/** A block with its number, hash and parent. */
export interface ChainPlace {
  readonly number: bigint;
  readonly hash: Hex;
  readonly parentHash: Hex;
  /** Unix seconds. */
  readonly timestamp: bigint;
}

/** The chain of a range, as one observer returns it, ending in a block that both have. */
export interface RangeChain {
  readonly kind: 'chain';
  /** Headers of every block. */
  readonly headers: readonly BloomHeader[];
  readonly first: ChainPlace;
  readonly last: ChainPlace;
  /** Returns a block of the range. */
  readonly at: (number: bigint) => ChainPlace;
}

/**
 * The reason why blocks have no answer:
 * - `too-much`: fewer blocks may succeed. Never used for a single block.
 * - `transient`: an observer did not answer, or both differ. The same request may succeed later.
 * - `unreadable`: the narrowest request for one block is refused for the size of its answer.
 */
export type IncompleteCause = 'too-much' | 'transient' | 'unreadable';

/** The failing blocks, inclusive, and the block itself if there is one and it is known. */
export interface Obstacle {
  readonly from: bigint;
  readonly to: bigint;
  readonly block: ChainPlace | null;
}

/** No statement about a range; callers must conclude nothing from it. */
export interface Incomplete {
  readonly kind: 'incomplete';
  readonly reason: string;
  readonly cause: IncompleteCause;
  /** Whether fewer blocks may succeed. */
  readonly isTooMuch: boolean;
  readonly obstacle: Obstacle;
}

export type RangeResult =
  | {
      readonly kind: 'complete';
      /** In block and log order. */
      readonly logs: readonly ChainLog[];
      readonly first: ChainPlace;
      readonly last: ChainPlace;
      /** The range's own chain, for reads of other logs. */
      readonly blocks: RangeChain;
    }
  | Incomplete;

const REASON_CHARACTERS = 256;

export const incomplete = (cause: IncompleteCause, reason: string, obstacle: Obstacle): Incomplete => ({
  kind: 'incomplete',
  reason: reason.slice(0, REASON_CHARACTERS),
  cause,
  isTooMuch: cause === 'too-much',
  obstacle,
});

/** Returns the obstacle of a single block. */
export const atBlock = (block: ChainPlace): Obstacle => ({ from: block.number, to: block.number, block });
