import {
  publishedHoldSchema,
  publishedLaunchSchema,
  publishedQuarantineSchema,
  publishedSourceSchema,
} from '@launch/contracts/index';
import { statement } from '@launch/platform';
import { z } from 'zod';

export const SOURCES = statement({
  name: 'index-rows.sources',
  row: publishedSourceSchema,
  text: `SELECT release_digest, document, status, state, state_reason, checkpoint_number, checkpoint_hash, checkpoint_at,
  finalized_head, provisional_number, updated_at, progressed_at, has_holds, lacks_trades FROM published.source ORDER BY chain_id, address, release_digest`,
});

const LAUNCH = `SELECT sequence, finality_stage, transaction_index, record, metadata FROM published.launch`;
const admitted = (which: string, condition: string) =>
  statement({
    name: `index-rows.admitted-${which}`,
    row: publishedLaunchSchema,
    text: `${LAUNCH} WHERE sequence > $1 ${condition} ORDER BY sequence LIMIT $2`,
  });
/** One statement for each filter: for one statement of all, PostgreSQL may cache a plan that reads every launch to find a few. */
export const ADMITTED = {
  all: admitted('all', ''),
  ofChain: admitted('of-chain', 'AND chain_id = $3'),
  ofKind: admitted('of-kind', 'AND source_kind = $3'),
  ofBoth: admitted('of-both', 'AND chain_id = $3 AND source_kind = $4'),
} as const;

export const STAMPED = statement({
  name: 'index-rows.stamped',
  row: publishedLaunchSchema,
  text: `${LAUNCH} WHERE source_kind = $1 AND launch_kind = $2 AND sequence IS NOT NULL AND block_number <= $3
  ORDER BY block_number, log_index`,
});

export const COIN = statement({
  name: 'index-rows.coin',
  row: publishedLaunchSchema,
  text: `${LAUNCH} WHERE chain_id = $1 AND token_address = $2`,
});

export const VERIFIED = statement({
  name: 'index-rows.verified',
  row: z.strictObject({ verified: z.boolean() }),
  text: `SELECT EXISTS (SELECT FROM published.launch WHERE verification_digest = $1) AS verified`,
});

const quarantineCountRow = publishedQuarantineSchema
  .pick({ release_digest: true, reason: true })
  .extend({ dismissed: z.boolean(), count: z.int() });
/** Quarantined events of a source, by reason and dismissal. */
export type QuarantineCount = z.output<typeof quarantineCountRow>;
export const QUARANTINE = statement({
  name: 'index-rows.quarantine',
  row: quarantineCountRow,
  text: `SELECT release_digest, reason, dismissed_reason IS NOT NULL AS dismissed, count(*)::int AS count FROM published.quarantine
  GROUP BY release_digest, reason, dismissed ORDER BY release_digest, reason, dismissed`,
});

export const DISMISSED = statement({
  name: 'index-rows.dismissed',
  row: publishedQuarantineSchema,
  text: `SELECT release_digest, block_number, block_hash, transaction_hash, log_index, reason, dismissed_reason FROM published.quarantine
  WHERE dismissed_reason IS NOT NULL ORDER BY block_number DESC, chain_id, log_index LIMIT $1`,
});

export const TAKEN = statement({
  name: 'index-rows.taken',
  row: z.strictObject({ taken: z.boolean() }),
  text: `SELECT EXISTS (SELECT FROM published.claim WHERE release_digest = ANY($1) AND token_address = $2) AS taken`,
});

export const HOLDS = statement({
  name: 'index-rows.holds',
  row: publishedHoldSchema,
  text: `SELECT release_digest, block_number, transaction_hash, subject, cause, reason, held_at, released_at FROM published.hold
  ORDER BY block_number DESC, chain_id, transaction_hash NULLS FIRST, subject LIMIT $1`,
});

export const HOLD_COUNTS = statement({
  name: 'index-rows.hold-counts',
  row: publishedHoldSchema.pick({ release_digest: true }).extend({ count: z.int() }),
  text: `SELECT release_digest, count(*)::int AS count FROM published.hold GROUP BY release_digest`,
});

export const HELD = statement({
  name: 'index-rows.held',
  row: z.strictObject({ held: z.boolean() }),
  text: `SELECT EXISTS (SELECT FROM published.hold h WHERE h.release_digest = coin.release_digest AND h.subject = 'launches'
    AND (h.transaction_hash = coin.transaction_hash OR (h.transaction_hash IS NULL AND h.block_number = coin.block_number))) AS held
  FROM unnest($1::text[], $2::bigint[], $3::text[]) WITH ORDINALITY AS coin(release_digest, block_number, transaction_hash, n) ORDER BY n`,
});
