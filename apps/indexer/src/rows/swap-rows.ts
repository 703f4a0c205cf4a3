import type { Hex, Sha256Digest } from '@launch/contracts';
import type { TradedPool } from '@launch/evm/sources';
import type { IndexerDatabase } from '@launch/prisma-indexer';
import type { SwapRow } from './index-rows.js';

type Swaps = Pick<IndexerDatabase, 'swap'>;

/** Writes trades; one that is there stays as it is. */
export async function insertSwaps(
  database: Swaps,
  releaseDigest: Sha256Digest,
  chainId: number,
  rows: readonly SwapRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await database.swap.createMany({
    data: rows.map(({ swap, timestamp }) => ({
      releaseDigest,
      chainId,
      tokenAddress: swap.pool.token,
      poolId: swap.pool.poolId,
      blockNumber: swap.log.blockNumber,
      blockHash: swap.log.blockHash,
      blockTime: new Date(Number(timestamp) * 1_000),
      transactionHash: swap.log.transactionHash,
      logIndex: Number(swap.log.logIndex),
      caller: swap.caller,
      amount0: swap.amount0.toString(),
      amount1: swap.amount1.toString(),
      sqrtPriceX96: swap.sqrtPriceX96.toString(),
      liquidity: swap.liquidity.toString(),
      tick: swap.tick,
      grossQuote: swap.charge?.gross.toString() ?? null,
      platformQuote: swap.charge?.platform.toString() ?? null,
      creatorQuote: swap.charge?.creator.toString() ?? null,
    })),
    skipDuplicates: true,
  });
}

/** The pools of a source's launches, the provisional layer too, kept until another launch comes or goes. */
export class KnownPools {
  readonly #kept = new Map<Sha256Digest, { readonly launches: string; readonly pools: readonly TradedPool[] }>();

  constructor(private readonly database: Pick<IndexerDatabase, 'launch'>) {}

  async of(releaseDigest: Sha256Digest): Promise<readonly TradedPool[]> {
    const where = { releaseDigest };
    const { _count: count, _max: max } = await this.database.launch.aggregate({
      where,
      _count: true,
      _max: { id: true },
    });
    const launches = `${count} to ${max.id ?? 0}`;
    const kept = this.#kept.get(releaseDigest);
    if (kept?.launches === launches) return kept.pools;
    const rows = await this.database.launch.findMany({
      where,
      orderBy: { id: 'asc' },
      select: { poolId: true, poolManager: true, hookAddress: true, tokenAddress: true },
    });
    const pools = rows.map(({ poolId, poolManager, hookAddress, tokenAddress }) => ({
      poolId: poolId as Hex,
      poolManager: poolManager as Hex,
      hook: hookAddress as Hex,
      token: tokenAddress as Hex,
    }));
    this.#kept.set(releaseDigest, { launches, pools });
    return pools;
  }
}
