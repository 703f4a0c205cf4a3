import { statement } from '@launch/platform';
import { z } from 'zod';

export const STATE = statement({
  name: 'ethereum-feed.state',
  row: z.strictObject({
    lastSequence: z.string(),
    source: z.int(),
    published: z.int(),
    quarantined: z.int(),
    indexStatus: z.enum(['ok', 'stale', 'indeterminate']),
    readAt: z.date().nullable(),
  }),
  text: `SELECT last_sequence::text AS "lastSequence", source_row_count AS source, published_row_count AS published,
  quarantined_row_count AS quarantined, index_status AS "indexStatus", read_at AS "readAt" FROM ethereum_feed`,
});

export const LIST = statement({
  name: 'ethereum-feed.list',
  row: z.strictObject({ publicationNumber: z.string(), record: z.string() }),
  text: 'SELECT publication_number AS "publicationNumber", record FROM ethereum_record WHERE publication_number > $2 ORDER BY publication_number LIMIT $1',
});

// The first statement of a reading's transaction locks the row, so that publications follow one another, and requires the
// start of the reading. A reading that another gateway overtook writes nothing.
export const ADVANCE = statement({
  name: 'ethereum-feed.advance',
  text: `UPDATE ethereum_feed SET last_sequence = $2, index_status = $3, read_at = $4
  WHERE last_sequence = $1 AND (read_at IS NULL OR read_at <= $4) RETURNING one`,
});

// Records that an operator dismissed are in neither count.
const HELD =
  'ethereum_held_record h LEFT JOIN dismissed_ethereum_record d USING (block_hash, transaction_hash, log_index)';
export const COUNT = statement({
  name: 'ethereum-feed.count',
  row: z.strictObject({ source: z.int(), published: z.int(), quarantined: z.int() }),
  text: `UPDATE ethereum_feed SET source_row_count = $1 - (SELECT count(*) FROM ${HELD} WHERE d.reason IS NOT NULL),
    published_row_count = (SELECT count(*) FROM ethereum_record),
    quarantined_row_count = (SELECT count(*) FROM ${HELD} WHERE d.reason IS NULL) + $2
  RETURNING source_row_count AS source, published_row_count AS published, quarantined_row_count AS quarantined`,
});

// A rebuilt index has the same launches under other numbers.
export const PUBLISH = statement({
  name: 'ethereum-feed.publish',
  text: `INSERT INTO ethereum_record (publication_number, router_launch_id, record, record_sha256, evidence_sha256, block_hash, transaction_hash, log_index)
  SELECT coalesce(max(publication_number), 0) + 1, $1, $2, $3, $4, $5, $6, $7 FROM ethereum_record
  ON CONFLICT (block_hash, transaction_hash, log_index) DO NOTHING RETURNING publication_number`,
});

export const HOLD = statement({
  name: 'ethereum-feed.hold',
  text: `INSERT INTO ethereum_held_record (block_hash, transaction_hash, log_index, reason)
  SELECT $1, $2, $3, $4 WHERE NOT EXISTS (SELECT FROM ethereum_record WHERE block_hash = $1 AND transaction_hash = $2 AND log_index = $3)
  ON CONFLICT (block_hash, transaction_hash, log_index) DO UPDATE SET reason = excluded.reason`,
});

export const RELEASE = statement({
  name: 'ethereum-feed.release',
  text: 'DELETE FROM ethereum_held_record WHERE block_hash = $1 AND transaction_hash = $2 AND log_index = $3',
});

export const READ_AGAIN = statement({
  name: 'ethereum-feed.read-again',
  text: 'UPDATE ethereum_feed SET last_sequence = 0',
});
