import { inOrder, moreAgreedLogs, type RangeChain, type RangeReads } from '@launch/chain/sources';
import { chargeFilter, swapFilter, swapsOf, tradedPoolIds, type TradedPool } from '@launch/evm/sources';
import type { SwapRow } from '../rows/index-rows.js';

export type SwapsRead =
  | { readonly kind: 'complete'; readonly swaps: readonly SwapRow[] }
  | { readonly kind: 'incomplete'; readonly reason: string; readonly isTooMuch: boolean };

/** Every trade in some pools within blocks that were read, in block and log order (ADR 0075). */
export async function readSwaps(
  reads: RangeReads,
  blocks: RangeChain,
  pools: readonly TradedPool[],
): Promise<SwapsRead> {
  if (pools.length === 0) return { kind: 'complete', swaps: [] };
  const traded = await moreAgreedLogs(reads, swapFilter(pools.map(({ poolManager }) => poolManager)), blocks);
  if (traded.kind === 'incomplete') return traded;
  const ids = new Set(tradedPoolIds(traded.logs));
  const hooks = pools.filter(({ poolId }) => ids.has(poolId)).map(({ hook }) => hook);
  const charged = hooks.length === 0 ? { logs: [] } : await moreAgreedLogs(reads, chargeFilter(hooks), blocks);
  if ('kind' in charged && charged.kind === 'incomplete') return charged;
  const known = new Map(pools.map((pool) => [pool.poolId, pool]));
  const swaps = swapsOf(inOrder([...traded.logs, ...charged.logs]), known).map((swap) => ({
    swap,
    timestamp: blocks.at(swap.log.blockNumber).timestamp,
  }));
  return { kind: 'complete', swaps };
}
