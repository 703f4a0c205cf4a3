import { sha256DigestSchema } from '@launch/contracts/primitives';
import { statement } from '@launch/platform';
import { z } from 'zod';
import type { ResourceKind } from '../idempotency/resource.js';

const KIND: ResourceKind = 'module-submission';

export const FIND_BY_KEY = statement({
  name: 'submission.find-by-key',
  isPrepared: true,
  row: z.strictObject({ submissionId: z.string(), bodySha256: sha256DigestSchema, receipt: z.string() }),
  text: `SELECT s.submission_id AS "submissionId", r.body_sha256 AS "bodySha256", s.receipt
  FROM idempotency_record r JOIN module_submission s ON s.submission_id = r.resource_id
  WHERE r.lineage_id = $1 AND r.route = $2 AND r.idempotency_key = $3 AND r.resource_kind = '${KIND}'`,
});

/**
 * Claims the key for a living credential. A revocation waits for this lock: once it is reported, nothing more is received
 * under the key.
 */
export const CLAIM = statement({
  name: 'submission.claim',
  isPrepared: true,
  row: z.strictObject({ isLiving: z.boolean(), isClaimed: z.boolean() }),
  text: `
  WITH living AS (SELECT 1 FROM credential WHERE credential_id = $6 AND revoked_at IS NULL FOR SHARE), claim AS (
    INSERT INTO idempotency_record (lineage_id, route, idempotency_key, body_sha256, resource_kind, resource_id)
    SELECT $1, $2, $3, $4, '${KIND}', $5::uuid FROM living
    ON CONFLICT (lineage_id, route, idempotency_key) DO NOTHING RETURNING resource_id)
  SELECT EXISTS (SELECT FROM living) AS "isLiving", EXISTS (SELECT FROM claim) AS "isClaimed"`,
});

/** Package, version and predecessor all belong to one author: the holder of this lock alone decides which of two is first. */
export const LOCK_AUTHOR = statement({
  name: 'submission.lock-author',
  isPrepared: true,
  text: `SELECT pg_advisory_xact_lock(hashtextextended('module author ' || $1, 0))`,
});

const knownRow = z.strictObject({ submissionId: z.string().nullable(), samePackage: z.boolean().nullable() });
/** The draft that conflicts with another, if there is one. */
export type KnownRow = Readonly<z.output<typeof knownRow>>;

/** Finds the draft that conflicts with $1 author, $2 family, $3 version and $4 package, a draft of the same package first. */
const KNOWN = `SELECT submission_id, package_id = $4 AS same_package FROM module_submission
    WHERE package_id = $4 OR (author = $1 AND family = $2 AND version = $3) ORDER BY package_id = $4 DESC LIMIT 1`;
/** Checks that $5, if given, may be superseded by a draft of $1 author and $2 family. */
const LINEAGE = `($5::uuid IS NULL OR EXISTS (
      SELECT FROM module_submission p WHERE p.submission_id = $5 AND p.author = $1 AND p.family = $2
        AND NOT EXISTS (SELECT FROM module_submission s WHERE s.supersedes = p.submission_id)))`;

/** Its first parameters are those of {@link WRITE}: author, family, version, package and predecessor. */
export const CONFLICT = statement({
  name: 'submission.conflict',
  isPrepared: true,
  row: knownRow.extend({ isLineage: z.boolean() }),
  text: `
  WITH known AS (${KNOWN})
  SELECT (SELECT submission_id FROM known) AS "submissionId", (SELECT same_package FROM known) AS "samePackage",
    ${LINEAGE} AS "isLineage"`,
});

/**
 * Writes the draft and its first review, or returns the first conflict (docs/reference/modules.md#conflict-order). Begins
 * under the lock, so that it sees the writes of every earlier holder.
 */
export const WRITE = statement({
  name: 'submission.write',
  isPrepared: true,
  row: knownRow.extend({ isReceived: z.boolean() }),
  text: `
  WITH known AS (${KNOWN}), draft AS (
    INSERT INTO module_submission (author, family, version, package_id, supersedes, submission_id, reward_wallet,
      family_id, request_digest, receipt, received_at, relay_after, file_digests)
    SELECT $1, $2, $3, $4, $5::uuid, $6::uuid, $7, $8, $9, $10, $11::timestamptz, $12::timestamptz, $14::text[]
    WHERE NOT EXISTS (SELECT FROM known) AND ${LINEAGE}
    RETURNING submission_id, received_at
  ), review AS (
    INSERT INTO module_review (submission_id, state, revision, projection, updated_at)
    SELECT submission_id, 'awaiting_plan', 0, $13, received_at FROM draft)
  SELECT EXISTS (SELECT FROM draft) AS "isReceived", (SELECT submission_id FROM known) AS "submissionId",
    (SELECT same_package FROM known) AS "samePackage"`,
});

export const FIND_RECEIPT = statement({
  name: 'submission.find-receipt',
  isPrepared: true,
  row: z.strictObject({ receipt: z.string() }),
  text: 'SELECT receipt FROM module_submission WHERE submission_id = $1 AND author = $2',
});

export const LIST = statement({
  name: 'submission.list',
  row: z.strictObject({ submissionId: z.string(), receipt: z.string() }),
  text: `SELECT submission_id AS "submissionId", receipt FROM module_submission s
  WHERE s.author = $1 AND ($2::timestamptz IS NULL OR s.received_at < $2 OR (s.received_at = $2 AND s.submission_id > $3))
  ORDER BY s.received_at DESC, s.submission_id LIMIT $4`,
});

/** A review with the last report of the worker, in one round trip. */
export const FIND_REVIEW = statement({
  name: 'submission.find-review',
  isPrepared: true,
  row: z.strictObject({
    projection: z.string(),
    receivedAt: z.date(),
    isReported: z.boolean(),
    document: z.string().nullable(),
    reportedAt: z.date().nullable(),
  }),
  text: `SELECT r.projection, s.received_at AS "receivedAt", r.updated_at > s.received_at AS "isReported",
    t.document, t.reported_at AS "reportedAt"
  FROM module_review r JOIN module_submission s USING (submission_id) LEFT JOIN module_review_readiness t ON true
  WHERE s.submission_id = $1 AND s.author = $2`,
});

export const READINESS = statement({
  name: 'submission.readiness',
  isPrepared: true,
  row: z.strictObject({ document: z.string(), reportedAt: z.date() }),
  text: 'SELECT document, reported_at AS "reportedAt" FROM module_review_readiness',
});
