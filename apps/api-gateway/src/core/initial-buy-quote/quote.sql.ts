import { statement } from '@launch/platform';
import { z } from 'zod';

const NOW = 'statement_timestamp()';

export const CLAIM = statement({
  name: 'quote.claim',
  isPrepared: true,
  text: `
  INSERT INTO initial_buy_quote AS kept (context_hash, claimed_at) VALUES ($1, ${NOW})
  ON CONFLICT (context_hash) DO UPDATE SET claimed_at = excluded.claimed_at
  WHERE kept.claimed_at <= excluded.claimed_at - $2::bigint * interval '1 millisecond'
  RETURNING context_hash`,
});

export const KEEP = statement({
  name: 'quote.keep',
  isPrepared: true,
  text: `UPDATE initial_buy_quote SET quote = $2, read_at = ${NOW} WHERE context_hash = $1`,
});

export const LAST = statement({
  name: 'quote.last',
  isPrepared: true,
  row: z.strictObject({ quote: z.string().nullable() }),
  text: `SELECT quote FROM initial_buy_quote
  WHERE context_hash = $1 AND read_at > ${NOW} - $2::bigint * interval '1 millisecond'`,
});
