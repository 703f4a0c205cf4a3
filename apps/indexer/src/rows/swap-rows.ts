import type { Sha256Digest } from '@launch/contracts/primitives';
import { execute } from '@launch/platform';
import type { IndexerDatabase } from '@launch/prisma-indexer';
import type { SwapRow } from './index-rows.js';
import { INSERT } from './swap-rows.sql.js';

/**
 * Writes trades; existing ones are unchanged. Passes all in one parameter, because a range has thousands and Prisma's
 * `createMany` takes 0.3 ms for each.
 */
export async function insertSwaps(
  database: Pick<IndexerDatabase, '$executeRawUnsafe'>,
  releaseDigest: Sha256Digest,
  chainId: number,
  rows: readonly SwapRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await execute(database, INSERT, [releaseDigest, chainId, JSON.stringify(rows.map(columnsOf))]);
}

const columnsOf = ({ swap, timestamp }: SwapRow) => ({
  token_address: swap.pool.token,
  pool_id: swap.pool.poolId,
  block_number: swap.log.blockNumber.toString(),
  block_hash: swap.log.blockHash,
  block_time: new Date(Number(timestamp) * 1_000),
  transaction_hash: swap.log.transactionHash,
  log_index: Number(swap.log.logIndex),
  caller: swap.caller,
  amount0: swap.amount0.toString(),
  amount1: swap.amount1.toString(),
  sqrt_price_x96: swap.sqrtPriceX96.toString(),
  liquidity: swap.liquidity.toString(),
  tick: swap.tick,
  gross_quote: swap.charge?.gross.toString() ?? null,
  platform_quote: swap.charge?.platform.toString() ?? null,
  creator_quote: swap.charge?.creator.toString() ?? null,
});
