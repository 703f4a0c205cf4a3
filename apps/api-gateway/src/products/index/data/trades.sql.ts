import { publishedSwapSchema, publishedTradesSchema } from '@launch/contracts/index';
import { statement } from '@launch/platform';
import { z } from 'zod';

const lastTradeRow = publishedTradesSchema.omit({ count: true, volume: true });
export type LastTrade = z.output<typeof lastTradeRow>;
export const LAST = statement({
  name: 'trades.last',
  row: lastTradeRow,
  text: `SELECT coin.chain_id, coin.token_address, last.caller, last.transaction_hash, last.block_number, last.block_hash, last.log_index,
    last.block_time, last.is_final, last.sqrt_price_x96, last.tick, last.liquidity
  FROM unnest($1::int[], $2::text[]) AS coin(chain_id, token_address)
 CROSS JOIN LATERAL (SELECT * FROM published.swap w WHERE w.chain_id = coin.chain_id AND w.token_address = coin.token_address
        ORDER BY w.block_number DESC, w.log_index DESC LIMIT 1) last`,
});

const dayRow = publishedTradesSchema.pick({ count: true, volume: true }).extend({ n: z.int() });
export type DayOfTrades = z.output<typeof dayRow>;
export const OF_THE_DAY = statement({
  name: 'trades.of-the-day',
  row: dayRow,
  text: `SELECT coin.n::int, counted.count, counted.volume FROM unnest($1::int[], $2::text[]) WITH ORDINALITY AS coin(chain_id, token_address, n)
 CROSS JOIN LATERAL (SELECT count(*)::int AS count, COALESCE(sum(w.quote_wei), 0) AS volume FROM published.swap w
        WHERE w.chain_id = coin.chain_id AND w.token_address = coin.token_address AND w.block_time > now() - interval '24 hours') counted`,
});

export const BEFORE = statement({
  name: 'trades.before',
  row: publishedSwapSchema,
  text: `SELECT caller, transaction_hash, block_number, block_hash, log_index, block_time, is_final, sqrt_price_x96, amount0::text, amount1::text,
    quote_wei, platform_quote, creator_quote
  FROM published.swap WHERE chain_id = $1 AND token_address = $2 AND (block_number, log_index) < ($3::bigint, $4::int)
 ORDER BY block_number DESC, log_index DESC LIMIT $5`,
});
