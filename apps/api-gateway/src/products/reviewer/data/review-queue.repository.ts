import { Inject, Injectable } from '@nestjs/common';
import type { ModuleReceipt, QueuedReview } from '@launch/contracts/modules';
import type { Sha256Digest } from '@launch/contracts/primitives';
import type { ReviewState } from '@launch/contracts/states';
import type { GatewayDatabase } from '@launch/prisma-api-gateway';
import { GATEWAY_DATABASE } from '../../../platform/tokens.js';
import { FIND, QUEUE } from './review-queue.sql.js';

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

/** Reads the gateway's rows for reviewers. */
@Injectable()
export class ReviewQueueRepository {
  constructor(@Inject(GATEWAY_DATABASE) private readonly database: GatewayDatabase) {}

  /**
   * Lists the reviews of a state, or those that wait for a reviewer.
   * @throws ApiError `CURSOR_INVALID`
   */
  async queue(states: readonly ReviewState[], limit: number, after: QueuePlace | null): Promise<QueuedReview[]> {
    const rows = await this.database.query(QUEUE, [
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
    const [row] = await this.database.query(FIND, [submissionId]);
    return row ?? null;
  }
}
