import { Inject, Injectable } from '@nestjs/common';
import type { ModuleReviewStatus } from '@launch/contracts/modules';
import type { ReviewSubject } from '@launch/contracts/orchestration';
import type { GatewayDatabase } from '@launch/prisma-api-gateway';
import { GATEWAY_DATABASE } from '../../../platform/tokens.js';

/** A draft whose review is not over, as the relay takes it. */
export interface OpenReview extends ReviewSubject {
  readonly isStarted: boolean;
  /** Seconds since the draft was received. */
  readonly ageSeconds: number;
}

/** Blobs of a review that its status does not name. */
export interface ReviewEvidence {
  readonly planSha256: string | null;
  readonly findingsSha256: string | null;
}

/** Seconds until the relay rechecks a started review: its run may have failed since. */
const RECHECK_SECONDS = 3_600;
/** Seconds until the relay repeats a first start. */
const RETRY_SECONDS = 60;

const COLUMNS = `submission_id AS "submissionId", request_digest AS "requestDigest", package_id AS "packageId", author, supersedes,
  to_char(received_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "createdAt", review_started_at IS NOT NULL AS "isStarted",
  extract(epoch FROM now() - received_at)::float8 AS "ageSeconds"`;
// Rows that another gateway is taking are skipped. Those of reviews that ended are due at infinity.
const TAKE_DUE = `
  UPDATE module_submission SET relay_after = now() + CASE WHEN review_started_at IS NULL THEN $2::int ELSE $3::int END * interval '1 second'
  WHERE submission_id IN (
    SELECT submission_id FROM module_submission WHERE relay_after <= now() ORDER BY relay_after LIMIT $1 FOR UPDATE SKIP LOCKED
  )
  RETURNING ${COLUMNS}`;
const FIND = `SELECT ${COLUMNS} FROM module_submission WHERE submission_id = $1 AND relay_after < 'infinity'`;
const RECORD = `
  UPDATE module_review SET state = $2, revision = $3, projection = $4, plan_sha256 = $5, findings_sha256 = $6, updated_at = now()
  WHERE submission_id = $1 AND (revision < $3 OR (revision = $3 AND state = $2))`;

/** Stores the relay's view of reviews and the authors' view. Plain SQL where rows are locked or compared. */
@Injectable()
export class ReviewRepository {
  constructor(@Inject(GATEWAY_DATABASE) private readonly database: GatewayDatabase) {}

  /** Takes up to `limit` due drafts and postpones each. */
  takeDue(limit: number): Promise<readonly OpenReview[]> {
    return this.database.query<OpenReview & Record<string, unknown>>(TAKE_DUE, [limit, RETRY_SECONDS, RECHECK_SECONDS]);
  }

  /** Finds an open review; null once it has ended, and for an absent draft. */
  async findOpen(submissionId: string): Promise<OpenReview | null> {
    const [row] = await this.database.query<OpenReview & Record<string, unknown>>(FIND, [submissionId]);
    return row ?? null;
  }

  async noteStarted(submissionId: string): Promise<void> {
    await this.database.query(
      `UPDATE module_submission SET review_started_at = now(), relay_after = greatest(relay_after, now() + $2 * interval '1 second')
       WHERE submission_id = $1 AND review_started_at IS NULL`,
      [submissionId, RECHECK_SECONDS],
    );
  }

  async retrySoon(submissionId: string, inSeconds: number): Promise<void> {
    await this.database.query(
      `UPDATE module_submission SET relay_after = least(relay_after, now() + $2 * interval '1 second') WHERE submission_id = $1`,
      [submissionId, inSeconds],
    );
  }

  /** Returns the identity of the draft under review; null when absent. */
  async identityOf(
    submissionId: string,
  ): Promise<{ readonly packageId: string; readonly requestDigest: string } | null> {
    return this.database.prisma.moduleSubmission.findUnique({
      where: { submissionId },
      select: { packageId: true, requestDigest: true },
    });
  }

  /** Records a status unless a later one is recorded. @param text its canonical JSON. */
  async record(
    { submissionId, review }: ModuleReviewStatus,
    text: string,
    { planSha256, findingsSha256 }: ReviewEvidence,
    isEnd: boolean,
  ): Promise<void> {
    await this.database.transaction(async (session) => {
      await session.query(RECORD, [submissionId, review.state, review.revision, text, planSha256, findingsSha256]);
      if (isEnd)
        await session.query(`UPDATE module_submission SET relay_after = 'infinity' WHERE submission_id = $1`, [
          submissionId,
        ]);
    });
  }

  /** @param document canonical JSON. */
  async recordReadiness(document: string): Promise<void> {
    await this.database.query(
      `INSERT INTO module_review_readiness (document, reported_at) VALUES ($1, now())
       ON CONFLICT (one) DO UPDATE SET document = excluded.document, reported_at = excluded.reported_at`,
      [document],
    );
  }
}
