import { inOrder, moreAgreedLogs, type Incomplete, type RangeChain, type RangeReads } from '@launch/chain/sources';
import { chargeFilter, swapFilter, swapsOf, tradedPoolIds, type TradedPool } from '@launch/evm/sources';
import type { SwapRow } from '../rows/index-rows.js';
import type { SourcePools } from '../rows/known-pools.js';

export type TradesRead = { readonly kind: 'complete'; readonly swaps: readonly SwapRow[] } | Incomplete;

/** Pools in one query: endpoints accept a few hundred topics. */
const POOLS_AT_ONCE = 100;
/** Maximum pools that are queried singly in a block with too many trades of other pools. */
const MAX_NARROWED = 400;

type Logs = Extract<Awaited<ReturnType<typeof moreAgreedLogs>>, { kind: 'complete' }>['logs'];

/**
 * Reads every trade in the pools of a source within read blocks, in block and log order. One query returns all trades
 * at the pool manager and is shared by the sources of the chain; the pools in its answer are looked up.
 * @param made pools of launches in these blocks, which have no row yet.
 */
export async function readTrades(
  reads: RangeReads,
  blocks: RangeChain,
  pools: SourcePools,
  made: readonly TradedPool[],
): Promise<TradesRead> {
  const managers = [...new Set([...(await pools.managers()), ...made.map(({ poolManager }) => poolManager)])];
  if (managers.length === 0) return { kind: 'complete', swaps: [] };
  const traded = await tradesAt(reads, blocks, managers, pools, made);
  if (traded.kind === 'incomplete') return traded;
  const ids = tradedPoolIds(traded.logs);
  const found = ids.length === 0 ? [] : [...(await pools.withIds(managers, ids)), ...made];
  const known = new Map(found.map((pool) => [pool.poolId, pool]));
  const hooks = ids.flatMap((id) => known.get(id)?.hook ?? []);
  const charged = await logsOf(reads, hooks, blocks);
  if (charged.kind === 'incomplete') return charged;
  const swaps = swapsOf(inOrder([...traded.logs, ...charged.logs]), known).map((swap) => ({
    swap,
    timestamp: blocks.at(swap.log.blockNumber).timestamp,
  }));
  return { kind: 'complete', swaps };
}

type LogsRead = { readonly kind: 'complete'; readonly logs: Logs } | Incomplete;

const logsOf = async (reads: RangeReads, hooks: readonly TradedPool['hook'][], blocks: RangeChain): Promise<LogsRead> =>
  hooks.length === 0 ? { kind: 'complete', logs: [] } : moreAgreedLogs(reads, chargeFilter(hooks), blocks);

/** Reads the trades of one block with too many trades, by the source's own pools if these are few. */
async function tradesAt(
  reads: RangeReads,
  blocks: RangeChain,
  managers: readonly TradedPool['poolManager'][],
  pools: SourcePools,
  made: readonly TradedPool[],
): Promise<LogsRead> {
  const all = await moreAgreedLogs(reads, swapFilter(managers), blocks);
  if (all.kind === 'complete' || all.cause !== 'unreadable' || blocks.headers.length > 1) return all;
  const own = [...(await pools.newest(MAX_NARROWED + 1)), ...made].map(({ poolId }) => poolId);
  if (own.length > MAX_NARROWED) return all;
  const logs: Logs[number][] = [];
  for (let first = 0; first < own.length; first += POOLS_AT_ONCE) {
    const some = await moreAgreedLogs(reads, swapFilter(managers, own.slice(first, first + POOLS_AT_ONCE)), blocks);
    if (some.kind === 'incomplete') return some;
    logs.push(...some.logs);
  }
  return { kind: 'complete', logs };
}
