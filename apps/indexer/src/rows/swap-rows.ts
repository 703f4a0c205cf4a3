import type { Sha256Digest } from '@launch/contracts/primitives';
import type { IndexerDatabase } from '@launch/prisma-indexer';
import type { SwapRow } from './index-rows.js';

/**
 * Writes trades; existing ones are unchanged. Passes all in one parameter, because a range has thousands and Prisma's
 * `createMany` takes 0.3 ms for each.
 */
export async function insertSwaps(
  database: Pick<IndexerDatabase, '$executeRaw'>,
  releaseDigest: Sha256Digest,
  chainId: number,
  rows: readonly SwapRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await database.$executeRaw`
    INSERT INTO swaps (release_digest, chain_id, token_address, pool_id, block_number, block_hash, block_time, transaction_hash,
                       log_index, caller, amount0, amount1, sqrt_price_x96, liquidity, tick, gross_quote, platform_quote,
                       creator_quote)
    SELECT ${releaseDigest}, ${chainId}::int, trade.*
      FROM json_to_recordset(${JSON.stringify(rows.map(columnsOf))}::json) AS trade (
        token_address text, pool_id text, block_number bigint, block_hash text, block_time timestamptz, transaction_hash text,
        log_index int, caller text, amount0 numeric, amount1 numeric, sqrt_price_x96 numeric, liquidity numeric, tick int,
        gross_quote numeric, platform_quote numeric, creator_quote numeric)
    ON CONFLICT DO NOTHING`;
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
