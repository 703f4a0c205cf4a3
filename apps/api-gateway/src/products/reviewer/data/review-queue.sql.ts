import { sha256DigestSchema } from '@launch/contracts/primitives';
import { REVIEW_STATES } from '@launch/contracts/states';
import { statement } from '@launch/platform';
import { z } from 'zod';

const TIME = `to_char(r.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * Reads the page of each state by its own index and then takes the first rows. A page reads a few rows of each state,
 * however many reviews wait.
 */
export const QUEUE = statement({
  name: 'review-queue.queue',
  row: z.strictObject({
    submissionId: z.string(),
    state: z.enum(REVIEW_STATES),
    revision: z.int(),
    updatedAt: z.string(),
    receipt: z.string(),
  }),
  text: `
  SELECT r.submission_id AS "submissionId", r.state, r.revision, ${TIME} AS "updatedAt", s.receipt
  FROM unnest($1::text[]) AS asked(state)
  CROSS JOIN LATERAL (
    SELECT q.submission_id, q.state, q.revision, q.updated_at FROM module_review q
    WHERE q.state = asked.state AND ($2::timestamptz IS NULL OR (q.updated_at, q.submission_id) > ($2, $3::uuid))
    ORDER BY q.updated_at, q.submission_id LIMIT $4
  ) r
  JOIN module_submission s USING (submission_id)
  ORDER BY r.updated_at, r.submission_id LIMIT $4`,
});

export const FIND = statement({
  name: 'review-queue.find',
  row: z.strictObject({
    submissionId: z.string(),
    requestDigest: sha256DigestSchema,
    supersedes: z.string().nullable(),
    supersededBy: z.string().nullable(),
    receipt: z.string(),
    projection: z.string(),
    revision: z.int(),
    planSha256: sha256DigestSchema.nullable(),
    findingsSha256: sha256DigestSchema.nullable(),
  }),
  text: `
  SELECT s.submission_id AS "submissionId", s.request_digest AS "requestDigest", s.supersedes, n.submission_id AS "supersededBy",
    s.receipt, r.projection, r.revision, r.plan_sha256 AS "planSha256", r.findings_sha256 AS "findingsSha256"
  FROM module_submission s JOIN module_review r USING (submission_id)
  LEFT JOIN module_submission n ON n.supersedes = s.submission_id
  WHERE s.submission_id = $1`,
});
