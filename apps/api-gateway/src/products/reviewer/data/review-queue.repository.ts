import { Inject, Injectable } from '@nestjs/common';
import type { ModuleReceipt, QueuedReview } from '@launch/contracts/modules';
import type { Sha256Digest } from '@launch/contracts/primitives';
import type { ReviewState } from '@launch/contracts/states';
import type { GatewayDatabase } from '@launch/prisma-api-gateway';
import { GATEWAY_DATABASE } from '../../../platform/tokens.js';

/** The gateway's rows of a submission and its review. */
export interface ReviewedRow {
  readonly submissionId: string;
  readonly requestDigest: Sha256Digest;
  readonly supersedes: string | null;
  readonly supersededBy: string | null;
  /** Canonical JSON, like the projection. */
  readonly receipt: string;
  readonly projection: string;
  readonly revision: number;
  readonly planSha256: Sha256Digest | null;
  readonly findingsSha256: Sha256Digest | null;
}

/** The position at which a page of the queue continues. */
export interface QueuePlace {
  readonly updatedAt: string;
  readonly submissionId: string;
}

type QueueRow = Pick<QueuedReview, 'submissionId' | 'state' | 'revision' | 'updatedAt'> & { readonly receipt: string };

const TIME = `to_char(r.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
/**
 * Reads the page of each state by its own index and then takes the first rows. A page reads a few rows of each state,
 * however many reviews wait.
 */
export const QUEUE = `
  SELECT r.submission_id AS "submissionId", r.state, r.revision, ${TIME} AS "updatedAt", s.receipt
  FROM unnest($1::text[]) AS asked(state)
  CROSS JOIN LATERAL (
    SELECT q.submission_id, q.state, q.revision, q.updated_at FROM module_review q
    WHERE q.state = asked.state AND ($2::timestamptz IS NULL OR (q.updated_at, q.submission_id) > ($2, $3::uuid))
    ORDER BY q.updated_at, q.submission_id LIMIT $4
  ) r
  JOIN module_submission s USING (submission_id)
  ORDER BY r.updated_at, r.submission_id LIMIT $4`;
const FIND = `
  SELECT s.submission_id AS "submissionId", s.request_digest AS "requestDigest", s.supersedes, n.submission_id AS "supersededBy",
    s.receipt, r.projection, r.revision, r.plan_sha256 AS "planSha256", r.findings_sha256 AS "findingsSha256"
  FROM module_submission s JOIN module_review r USING (submission_id)
  LEFT JOIN module_submission n ON n.supersedes = s.submission_id
  WHERE s.submission_id = $1`;

/** Reads the gateway's rows for reviewers. */
@Injectable()
export class ReviewQueueRepository {
  constructor(@Inject(GATEWAY_DATABASE) private readonly database: GatewayDatabase) {}

  /**
   * Lists the reviews of a state, or those that wait for a reviewer.
   * @throws ApiError `CURSOR_INVALID`
   */
  async queue(states: readonly ReviewState[], limit: number, after: QueuePlace | null): Promise<QueuedReview[]> {
    const rows = await this.database.query<QueueRow & Record<string, unknown>>(QUEUE, [
      states,
      after?.updatedAt ?? null,
      after?.submissionId ?? null,
      limit + 1,
    ]);
    return rows.map(({ receipt, ...row }) => {
      const { name, version, family, author, supersedes, receivedAt } = JSON.parse(receipt) as ModuleReceipt;
      return { ...row, name, version, family, author, supersedes, receivedAt };
    });
  }

  async find(submissionId: string): Promise<ReviewedRow | null> {
    const [row] = await this.database.query<ReviewedRow & Record<string, unknown>>(FIND, [submissionId]);
    return row ?? null;
  }
}
