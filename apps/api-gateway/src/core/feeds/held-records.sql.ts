import { statement } from '@launch/platform';
import { z } from 'zod';

const heldRecordRow = z.strictObject({
  name: z.string(),
  launchId: z.string().nullable(),
  onchainLaunchId: z.string().nullable(),
  blockHash: z.string().nullable(),
  reason: z.string(),
  recordSha256: z.string().nullable(),
  quarantinedAt: z.date(),
  dismissedReason: z.string().nullable(),
  dismissedBy: z.string().nullable(),
  dismissedAt: z.date().nullable(),
});
const HELD = `SELECT * FROM (
  SELECT q.launch_id::text AS name, q.launch_id::text AS "launchId", l.onchain_launch_id AS "onchainLaunchId", NULL AS "blockHash", q.reason,
    q.record_sha256 AS "recordSha256", q.quarantined_at AS "quarantinedAt", d.reason AS "dismissedReason", d.dismissed_by AS "dismissedBy",
    d.dismissed_at AS "dismissedAt"
  FROM quarantined_record q JOIN launch l USING (launch_id) LEFT JOIN dismissed_record d USING (launch_id)
  UNION ALL
  SELECT h.transaction_hash || '/' || h.log_index, NULL, NULL, h.block_hash, h.reason, NULL, h.held_at, d.reason, d.dismissed_by, d.dismissed_at
  FROM ethereum_held_record h LEFT JOIN dismissed_ethereum_record d USING (block_hash, transaction_hash, log_index)) held`;

export const LIST = statement({
  name: 'held-records.list',
  row: heldRecordRow,
  text: `${HELD} ORDER BY "quarantinedAt", name`,
});

export const COUNT_OF_ETHEREUM = statement({
  name: 'held-records.count-of-ethereum',
  row: z.strictObject({ count: z.int() }),
  text: `SELECT count(*)::int AS count FROM (${HELD} WHERE "launchId" IS NULL AND "dismissedAt" IS NULL) undismissed`,
});

export const LIST_DISMISSED = statement({
  name: 'held-records.list-dismissed',
  row: heldRecordRow,
  text: `${HELD} WHERE "dismissedAt" IS NOT NULL AND ("launchId" IS NULL) = $2 ORDER BY "dismissedAt" DESC, name LIMIT $1`,
});

export const FIND = statement({ name: 'held-records.find', row: heldRecordRow, text: `${HELD} WHERE name = $1` });

export const DISMISS = statement({
  name: 'held-records.dismiss',
  text: `INSERT INTO dismissed_record (launch_id, reason, dismissed_by, dismissed_at)
  SELECT launch_id, $2, $3, clock_timestamp() FROM quarantined_record WHERE launch_id = $1::uuid ON CONFLICT (launch_id) DO NOTHING RETURNING launch_id`,
});

export const DISMISS_OF_ETHEREUM = statement({
  name: 'held-records.dismiss-of-ethereum',
  text: `INSERT INTO dismissed_ethereum_record (block_hash, transaction_hash, log_index, reason, dismissed_by, dismissed_at)
  SELECT block_hash, transaction_hash, log_index, $2, $3, clock_timestamp() FROM ethereum_held_record WHERE transaction_hash || '/' || log_index = $1
  ON CONFLICT (block_hash, transaction_hash, log_index) DO NOTHING RETURNING log_index`,
});
