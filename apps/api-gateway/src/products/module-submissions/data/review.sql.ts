import { addressSchema, bytes32Schema, sha256DigestSchema } from '@launch/contracts/primitives';
import { statement } from '@launch/platform';
import { z } from 'zod';

const openReviewRow = z.strictObject({
  submissionId: z.string(),
  requestDigest: sha256DigestSchema,
  packageId: bytes32Schema,
  author: addressSchema,
  supersedes: z.string().nullable(),
  createdAt: z.string(),
  isStarted: z.boolean(),
  ageSeconds: z.number(),
});
const COLUMNS = `submission_id AS "submissionId", request_digest AS "requestDigest", package_id AS "packageId", author, supersedes,
  to_char(received_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "createdAt", review_started_at IS NOT NULL AS "isStarted",
  extract(epoch FROM now() - received_at)::float8 AS "ageSeconds"`;

// Rows that another gateway is taking are skipped. Those of reviews that ended are due at infinity.
export const TAKE_DUE = statement({
  name: 'review.take-due',
  row: openReviewRow,
  text: `
  UPDATE module_submission SET relay_after = now() + CASE WHEN review_started_at IS NULL THEN $2::int ELSE $3::int END * interval '1 second'
  WHERE submission_id IN (
    SELECT submission_id FROM module_submission WHERE relay_after <= now() ORDER BY relay_after LIMIT $1 FOR UPDATE SKIP LOCKED
  )
  RETURNING ${COLUMNS}`,
});

export const FIND_OPEN = statement({
  name: 'review.find-open',
  row: openReviewRow,
  text: `SELECT ${COLUMNS} FROM module_submission WHERE submission_id = $1 AND relay_after < 'infinity'`,
});

export const NOTE_STARTED = statement({
  name: 'review.note-started',
  text: `UPDATE module_submission SET review_started_at = now(), relay_after = greatest(relay_after, now() + $2 * interval '1 second')
       WHERE submission_id = $1 AND review_started_at IS NULL`,
});

export const RETRY_SOON = statement({
  name: 'review.retry-soon',
  text: `UPDATE module_submission SET relay_after = least(relay_after, now() + $2 * interval '1 second') WHERE submission_id = $1`,
});

export const RECORD = statement({
  name: 'review.record',
  text: `
  UPDATE module_review SET state = $2, revision = $3, projection = $4, plan_sha256 = $5, findings_sha256 = $6, updated_at = now()
  WHERE submission_id = $1 AND (revision < $3 OR (revision = $3 AND state = $2))`,
});

export const END = statement({
  name: 'review.end',
  text: `UPDATE module_submission SET relay_after = 'infinity' WHERE submission_id = $1`,
});

export const RECORD_READINESS = statement({
  name: 'review.record-readiness',
  text: `INSERT INTO module_review_readiness (document, reported_at) VALUES ($1, now())
       ON CONFLICT (one) DO UPDATE SET document = excluded.document, reported_at = excluded.reported_at`,
});
