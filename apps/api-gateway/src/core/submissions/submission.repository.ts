import { Inject, Injectable } from '@nestjs/common';
import type { Sha256Digest } from '@launch/contracts/primitives';
import type { GatewayDatabase, Session } from '@launch/prisma-api-gateway';
import type { ResourceKind } from '../idempotency/resource.js';
import { GATEWAY_DATABASE } from '../../platform/tokens.js';

const KIND: ResourceKind = 'module-submission';

/** The columns that identify one idempotency key. */
export interface SubmissionKey {
  readonly lineageId: string;
  readonly route: string;
  readonly key: string;
}

/** The receipt that a key is bound to, and the digest of the bytes that bound it. */
export interface KeptReceipt {
  readonly submissionId: string;
  readonly bodySha256: Sha256Digest;
  /** Canonical JSON. */
  readonly receipt: string;
}

/** The last report of the review worker about itself, with its time. */
export interface ReportedReadiness {
  readonly document: string;
  readonly reportedAt: Date;
}

/** A review as its author sees it. */
export interface ShownReview {
  /** Canonical JSON. */
  readonly projection: string;
  readonly receivedAt: Date;
  /** Whether the review has reported it; until then it is the status that intake wrote. */
  readonly isReported: boolean;
  /** Read together with it; null before the worker's first report. */
  readonly readiness: ReportedReadiness | null;
}

/** All that receiving a draft writes. */
export interface NewSubmission {
  readonly key: SubmissionKey;
  /** It must be alive when the draft commits. */
  readonly credentialId: string;
  readonly submissionId: string;
  readonly author: string;
  readonly rewardWallet: string;
  readonly family: string;
  readonly familyId: string;
  readonly version: string;
  readonly packageId: string;
  readonly requestDigest: Sha256Digest;
  readonly fileDigests: readonly Sha256Digest[];
  readonly supersedes: string | null;
  readonly receipt: string;
  readonly receivedAt: Date;
  readonly relayAfter: Date;
  /** Canonical JSON of the first review status. */
  readonly projection: string;
}

/** The columns by which drafts can conflict. */
export type DraftIdentity = Pick<NewSubmission, 'author' | 'family' | 'version' | 'packageId' | 'supersedes'>;

/** Conflicts between drafts (docs/reference/modules.md#conflict-order). */
export type DraftConflict =
  | { readonly kind: 'lineage-invalid' }
  | { readonly kind: 'package-known' | 'version-known'; readonly submissionId: string };

export type SubmissionOutcome = { readonly kind: 'received' | 'key-taken' | 'credential-revoked' } | DraftConflict;

const FIND_BY_KEY = `SELECT s.submission_id AS "submissionId", r.body_sha256 AS "bodySha256", s.receipt
  FROM idempotency_record r JOIN module_submission s ON s.submission_id = r.resource_id
  WHERE r.lineage_id = $1 AND r.route = $2 AND r.idempotency_key = $3 AND r.resource_kind = '${KIND}'`;
/**
 * Claims the key for a living credential. A revocation waits for this lock: once it is reported, nothing more is received
 * under the key.
 */
const CLAIM = `
  WITH living AS (SELECT 1 FROM credential WHERE credential_id = $6 AND revoked_at IS NULL FOR SHARE), claim AS (
    INSERT INTO idempotency_record (lineage_id, route, idempotency_key, body_sha256, resource_kind, resource_id)
    SELECT $1, $2, $3, $4, '${KIND}', $5::uuid FROM living
    ON CONFLICT (lineage_id, route, idempotency_key) DO NOTHING RETURNING resource_id)
  SELECT EXISTS (SELECT FROM living) AS "isLiving", EXISTS (SELECT FROM claim) AS "isClaimed"`;
/** Package, version and predecessor all belong to one author: the holder of this lock alone decides which of two is first. */
const LOCK_AUTHOR = `SELECT pg_advisory_xact_lock(hashtextextended('module author ' || $1, 0))`;
/** Finds the draft that conflicts with $1 author, $2 family, $3 version and $4 package, a draft of the same package first. */
const KNOWN = `SELECT submission_id, package_id = $4 AS same_package FROM module_submission
    WHERE package_id = $4 OR (author = $1 AND family = $2 AND version = $3) ORDER BY package_id = $4 DESC LIMIT 1`;
/** Checks that $5, if given, may be superseded by a draft of $1 author and $2 family. */
const LINEAGE = `($5::uuid IS NULL OR EXISTS (
      SELECT FROM module_submission p WHERE p.submission_id = $5 AND p.author = $1 AND p.family = $2
        AND NOT EXISTS (SELECT FROM module_submission s WHERE s.supersedes = p.submission_id)))`;
const CONFLICT = `
  WITH known AS (${KNOWN})
  SELECT (SELECT submission_id FROM known) AS "submissionId", (SELECT same_package FROM known) AS "samePackage",
    ${LINEAGE} AS "isLineage"`;
/**
 * Writes the draft and its first review, or returns the first conflict (docs/reference/modules.md#conflict-order). Begins
 * under the lock, so that it sees the writes of every earlier holder.
 */
const WRITE = `
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
    (SELECT same_package FROM known) AS "samePackage"`;
const LIST = `SELECT submission_id AS "submissionId", receipt FROM module_submission s
  WHERE s.author = $1 AND ($2::timestamptz IS NULL OR s.received_at < $2 OR (s.received_at = $2 AND s.submission_id > $3))
  ORDER BY s.received_at DESC, s.submission_id LIMIT $4`;

const REVIEW = `SELECT r.projection, s.received_at AS "receivedAt", r.updated_at > s.received_at AS "isReported",
    t.document, t.reported_at AS "reportedAt"
  FROM module_review r JOIN module_submission s USING (submission_id) LEFT JOIN module_review_readiness t ON true
  WHERE s.submission_id = $1 AND s.author = $2`;

interface KnownRow extends Record<string, unknown> {
  readonly submissionId: string | null;
  readonly samePackage: boolean | null;
}

type Nullable<Row> = { readonly [Name in keyof Row]: Row[Name] | null };

/** Reads and writes module drafts, the keys that sent them, and their reviews as authors see them. */
@Injectable()
export class SubmissionRepository {
  constructor(@Inject(GATEWAY_DATABASE) private readonly database: GatewayDatabase) {}

  async findByKey({ lineageId, route, key }: SubmissionKey): Promise<KeptReceipt | null> {
    const [row] = await this.database.query<KeptReceipt & Record<string, unknown>>(
      FIND_BY_KEY,
      [lineageId, route, key],
      'prepared',
    );
    return row ?? null;
  }

  /**
   * Returns the current conflict of a draft. It decides nothing: another draft may be received before this one, and
   * {@link receive} judges again.
   */
  async conflictOf(one: DraftIdentity): Promise<DraftConflict | null> {
    const [row] = await this.database.query<KnownRow & { readonly isLineage: boolean }>(
      CONFLICT,
      identityOf(one),
      'prepared',
    );
    if (row === undefined) throw new TypeError('a query without a table answers one row');
    return knownOf(row) ?? (row.isLineage ? null : { kind: 'lineage-invalid' });
  }

  /** Claims the key and writes draft, receipt, relay entry and first review status together, or nothing. */
  async receive(one: NewSubmission): Promise<SubmissionOutcome> {
    const undone = new Undone();
    try {
      return await this.database.transaction(async (session) => {
        const outcome = await write(session, one);
        if (outcome.kind === 'received') return outcome;
        undone.outcome = outcome;
        throw undone;
      });
    } catch (error) {
      if (error === undone && undone.outcome !== undefined) return undone.outcome;
      throw error;
    }
  }

  /** Finds an author's receipt; null for absent and foreign receipts. */
  async findReceipt(submissionId: string, author: string | null): Promise<string | null> {
    const [row] = await this.database.query<{ readonly receipt: string }>(
      'SELECT receipt FROM module_submission WHERE submission_id = $1 AND author = $2',
      [submissionId, author],
      'prepared',
    );
    return row?.receipt ?? null;
  }

  /** Finds the review of an author's draft; null for absent and foreign drafts. */
  async findReview(submissionId: string, author: string | null): Promise<ShownReview | null> {
    const [row] = await this.database.query<Omit<ShownReview, 'readiness'> & Nullable<ReportedReadiness>>(
      REVIEW,
      [submissionId, author],
      'prepared',
    );
    if (row === undefined) return null;
    const { document, reportedAt, ...review } = row;
    return { ...review, readiness: document === null || reportedAt === null ? null : { document, reportedAt } };
  }

  /** Returns when an author's draft was received; null for absent and foreign drafts. */
  async receivedAt(submissionId: string, author: string | null): Promise<Date | null> {
    const [row] = await this.database.query<{ readonly receivedAt: Date }>(
      'SELECT received_at AS "receivedAt" FROM module_submission WHERE submission_id = $1 AND author = $2',
      [submissionId, author],
    );
    return row?.receivedAt ?? null;
  }

  /** Lists drafts, the newest first, one more than `limit` when more follow; `after` is the last of the previous page. */
  async list(
    author: string | null,
    limit: number,
    after: { readonly receivedAt: Date; readonly submissionId: string } | null,
  ): Promise<readonly { readonly submissionId: string; readonly receipt: string }[]> {
    return this.database.query(LIST, [author, after?.receivedAt ?? null, after?.submissionId ?? null, limit + 1]);
  }

  /** Returns the last report of the review worker about itself, with its time. */
  async readiness(): Promise<ReportedReadiness | null> {
    const [row] = await this.database.query<ReportedReadiness & Record<string, unknown>>(
      'SELECT document, reported_at AS "reportedAt" FROM module_review_readiness',
      [],
      'prepared',
    );
    return row ?? null;
  }
}

/** Rolls back a transaction whose outcome is known. */
class Undone extends Error {
  override readonly name = 'Undone';
  outcome: SubmissionOutcome | undefined;
}

async function write(session: Session, one: NewSubmission): Promise<SubmissionOutcome> {
  const { key, submissionId, author } = one;
  const [claimed] = await session.query<{ readonly isLiving: boolean; readonly isClaimed: boolean }>(
    CLAIM,
    [key.lineageId, key.route, key.key, one.requestDigest, submissionId, one.credentialId],
    'prepared',
  );
  if (claimed?.isLiving !== true) return { kind: 'credential-revoked' };
  if (!claimed.isClaimed) return { kind: 'key-taken' };
  await session.query(LOCK_AUTHOR, [author], 'prepared');
  const [written] = await session.query<KnownRow & { readonly isReceived: boolean }>(
    WRITE,
    [
      ...identityOf(one),
      submissionId,
      one.rewardWallet,
      one.familyId,
      one.requestDigest,
      one.receipt,
      one.receivedAt,
      one.relayAfter,
      one.projection,
      one.fileDigests,
    ],
    'prepared',
  );
  if (written?.isReceived === true) return { kind: 'received' };
  return knownOf(written) ?? { kind: 'lineage-invalid' };
}

/** Returns the parameters in the order of {@link KNOWN} and {@link LINEAGE}. */
const identityOf = ({ author, family, version, packageId, supersedes }: DraftIdentity) =>
  [author, family, version, packageId, supersedes] as const;

function knownOf(row: KnownRow | undefined): DraftConflict | null {
  if (row === undefined || row.submissionId === null) return null;
  return { kind: row.samePackage === true ? 'package-known' : 'version-known', submissionId: row.submissionId };
}
