import { decodeAbiParameters, parseAbi, parseAbiParameters, toEventSelector } from 'viem/utils';
import type { Hex } from '../encoding/hex.js';

/** The trade events of Uniswap V4's PoolManager and of Foundation's hook (docs/reference/index-sources.md#trades). */
const SWAP_ABI = parseAbi([
  'event Swap(bytes32 indexed id, address indexed sender, int128 amount0, int128 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick, uint24 fee)',
  'event FoundationSwap(bytes32 indexed poolId, address indexed router, bool buy, bool exactInput, uint256 grossQuote, uint256 platformQuote, uint256 creatorQuote, int128 coreAmount0, int128 coreAmount1)',
]);
const [SWAP_EVENT, FOUNDATION_EVENT] = SWAP_ABI;
export const POOL_SWAP_TOPIC: Hex = toEventSelector(SWAP_EVENT);
export const FOUNDATION_SWAP_TOPIC: Hex = toEventSelector(FOUNDATION_EVENT);

/**
 * The data of the events. Decoding with the event's ABI hashes its signature again for every log, which is most of a
 * backfill's decoding time.
 */
const SWAP_DATA = parseAbiParameters(
  'int128 amount0, int128 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick, uint24 fee',
);
const FOUNDATION_DATA = parseAbiParameters(
  'bool buy, bool exactInput, uint256 grossQuote, uint256 platformQuote, uint256 creatorQuote, int128 coreAmount0, int128 coreAmount1',
);

/** A pool whose trades are indexed, by its id. */
export interface TradedPool {
  readonly poolId: Hex;
  readonly poolManager: Hex;
  readonly hook: Hex;
  readonly token: Hex;
}

/** A log with its position. */
export interface PlacedLog {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly blockNumber: bigint;
  readonly blockHash: Hex;
  readonly transactionHash: Hex;
  readonly logIndex: bigint;
}

/**
 * One trade. `amount0` is the native wei and `amount1` the token that the pool itself moved, negative for amounts that
 * the caller paid; `sqrtPriceX96`, `liquidity` and `tick` are the pool's values afterwards. The trader is unknown:
 * `caller` called PoolManager.
 */
export interface PoolSwap {
  readonly pool: TradedPool;
  readonly log: PlacedLog;
  readonly caller: Hex;
  readonly amount0: bigint;
  readonly amount1: bigint;
  readonly sqrtPriceX96: bigint;
  readonly liquidity: bigint;
  readonly tick: number;
  /** The fees that a Foundation hook took, in wei; null for a pool without one. */
  readonly charge: { readonly gross: bigint; readonly platform: bigint; readonly creator: bigint } | null;
}

/**
 * Builds the filter for every trade at some pool managers: one query for all of their pools.
 * @param poolIds restricts the query to these pools.
 */
export const swapFilter = (poolManagers: readonly Hex[], poolIds?: readonly Hex[]) => ({
  addresses: [...new Set(poolManagers)],
  topics: [POOL_SWAP_TOPIC],
  ...(poolIds === undefined ? {} : { second: poolIds }),
});

/**
 * Builds the filter for the fees that Foundation's hooks charged. Only the hooks of traded pools have relevant events.
 */
export const chargeFilter = (hooks: readonly Hex[]) => ({
  addresses: [...new Set(hooks)],
  topics: [FOUNDATION_SWAP_TOPIC],
});

/** Returns the pools in which trades happened according to the logs, each once, whether known or not. */
export const tradedPoolIds = (logs: readonly Pick<PlacedLog, 'topics'>[]): readonly Hex[] => [
  ...new Set(logs.flatMap(({ topics: [topic, id] }) => (topic === POOL_SWAP_TOPIC && id !== undefined ? [id] : []))),
];

/**
 * Returns the trades in logs that are sorted by block and index. PoolManager's event is the trade; the hook's event of
 * the same trade follows and adds the fees. Logs of any other emitter than the pool's own are ignored.
 */
export function swapsOf(logs: readonly PlacedLog[], pools: ReadonlyMap<Hex, TradedPool>): readonly PoolSwap[] {
  const swaps: PoolSwap[] = [];
  /** The index of each pool's last trade in the list. */
  const lastOf = new Map<TradedPool, number>();
  for (const log of logs) {
    const pool = pools.get(log.topics[1] ?? '0x');
    if (pool === undefined) continue;
    const [topic] = log.topics;
    if (topic === POOL_SWAP_TOPIC && log.address === pool.poolManager) {
      const swap = swapOf(log, pool);
      if (swap !== null) lastOf.set(pool, swaps.push(swap) - 1);
    } else if (topic === FOUNDATION_SWAP_TOPIC && log.address === pool.hook) charge(swaps, lastOf.get(pool), log);
  }
  return swaps;
}

type Data = typeof SWAP_DATA | typeof FOUNDATION_DATA;

/** Returns the event's second indexed value, an address, and its data, or null if the log does not fit the event. */
function decoded<const Of extends Data>({ topics, data }: PlacedLog, of: Of) {
  const by = topics[2];
  if (by === undefined) return null;
  try {
    return { by: `0x${by.slice(-40)}`.toLowerCase() as Hex, values: decodeAbiParameters(of, data) };
  } catch {
    return null;
  }
}

function swapOf(log: PlacedLog, pool: TradedPool): PoolSwap | null {
  const said = decoded(log, SWAP_DATA);
  if (said === null) return null;
  const [amount0, amount1, sqrtPriceX96, liquidity, tick] = said.values;
  return { pool, log, caller: said.by, amount0, amount1, sqrtPriceX96, liquidity, tick, charge: null };
}

/** Adds the hook's fees to the pool's last trade, if transaction and amounts are the same. */
function charge(swaps: PoolSwap[], at: number | undefined, log: PlacedLog): void {
  const swap = at === undefined ? undefined : swaps[at];
  if (swap === undefined || swap.charge !== null) return;
  if (swap.log.blockHash !== log.blockHash || swap.log.transactionHash !== log.transactionHash) return;
  const said = decoded(log, FOUNDATION_DATA);
  if (said === null) return;
  const [, , grossQuote, platformQuote, creatorQuote, coreAmount0, coreAmount1] = said.values;
  if (said.by !== swap.caller || coreAmount0 !== swap.amount0 || coreAmount1 !== swap.amount1) return;
  swaps[at!] = { ...swap, charge: { gross: grossQuote, platform: platformQuote, creator: creatorQuote } };
}
