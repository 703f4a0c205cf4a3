import { moreAgreedLogs, type RangeChain, type RangeReads } from '@launch/chain/sources';
import { swapFilter, swapsOf, type TradedPool } from '@launch/evm/sources';
import type { SwapRow } from '../rows/index-rows.js';

/** Pools of one question: an endpoint takes a few hundred topics and addresses. */
const POOLS_AT_ONCE = 100;

export type SwapsRead =
  | { readonly kind: 'complete'; readonly swaps: readonly SwapRow[] }
  | { readonly kind: 'incomplete'; readonly reason: string; readonly isTooMuch: boolean };

/** Every trade in some pools within blocks that were read, in block and log order for each question's pools (ADR 0075). */
export async function readSwaps(
  reads: RangeReads,
  blocks: RangeChain,
  pools: readonly TradedPool[],
): Promise<SwapsRead> {
  const swaps: SwapRow[] = [];
  for (let first = 0; first < pools.length; first += POOLS_AT_ONCE) {
    const some = pools.slice(first, first + POOLS_AT_ONCE);
    const found = await moreAgreedLogs(reads, swapFilter(some), blocks);
    if (found.kind === 'incomplete') return found;
    for (const swap of swapsOf(found.logs, new Map(some.map((pool) => [pool.poolId, pool]))))
      swaps.push({ swap, timestamp: blocks.at(swap.log.blockNumber).timestamp });
  }
  return { kind: 'complete', swaps };
}
