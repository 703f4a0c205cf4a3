import { statement } from '@launch/platform';

/** Writes the trades of the JSON array $3; existing ones are unchanged. */
export const INSERT = statement({
  name: 'swap-rows.insert',
  text: `
    INSERT INTO swaps (release_digest, chain_id, token_address, pool_id, block_number, block_hash, block_time, transaction_hash,
                       log_index, caller, amount0, amount1, sqrt_price_x96, liquidity, tick, gross_quote, platform_quote,
                       creator_quote)
    SELECT $1, $2::int, trade.*
      FROM json_to_recordset($3::json) AS trade (
        token_address text, pool_id text, block_number bigint, block_hash text, block_time timestamptz, transaction_hash text,
        log_index int, caller text, amount0 numeric, amount1 numeric, sqrt_price_x96 numeric, liquidity numeric, tick int,
        gross_quote numeric, platform_quote numeric, creator_quote numeric)
    ON CONFLICT DO NOTHING`,
});
