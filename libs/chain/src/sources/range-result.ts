import type { Hex } from 'viem';
import type { BloomHeader, ChainLog } from '../rpc/rpc-answers.schema.js';

/** A block by its place and its parent. */
export interface ChainPlace {
  readonly number: bigint;
  readonly hash: Hex;
  readonly parentHash: Hex;
  /** Unix seconds. */
  readonly timestamp: bigint;
}

/** The chain of a range, as one observer tells it and as it ends in a block that both have. */
export interface RangeChain {
  readonly kind: 'chain';
  /** Headers of every block. */
  readonly headers: readonly BloomHeader[];
  readonly first: ChainPlace;
  readonly last: ChainPlace;
  /** A block of the range. */
  readonly at: (number: bigint) => ChainPlace;
}

/**
 * Why blocks have no answer:
 * - `too-much`: fewer blocks may have one. Never said of a single block.
 * - `transient`: an observer gave none, or both differ. The same question may have an answer later.
 * - `unreadable`: the narrowest question about one block is refused for the size of its answer.
 */
export type IncompleteCause = 'too-much' | 'transient' | 'unreadable';

/** The blocks in the way, inclusive; and their place where it is one whose place is known. */
export interface Obstacle {
  readonly from: bigint;
  readonly to: bigint;
  readonly block: ChainPlace | null;
}

/** No statement about a range: nothing may be concluded from it. */
export interface Incomplete {
  readonly kind: 'incomplete';
  readonly reason: string;
  readonly cause: IncompleteCause;
  /** Whether fewer blocks may have an answer. */
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
      /** The range's own chain, to ask it for other logs. */
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

/** The obstacle that one block is. */
export const atBlock = (block: ChainPlace): Obstacle => ({ from: block.number, to: block.number, block });
