import { Inject, Injectable } from '@nestjs/common';
import type { ModuleReviewStatus } from '@launch/contracts/modules';
import type { ReviewSubject } from '@launch/contracts/orchestration';
import type { GatewayDatabase } from '@launch/prisma-api-gateway';
import { GATEWAY_DATABASE } from '../../../platform/tokens.js';
import { END, FIND_OPEN, NOTE_STARTED, RECORD, RECORD_READINESS, RETRY_SOON, TAKE_DUE } from './review.sql.js';

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

/** Stores the relay's view of reviews and the authors' view. */
@Injectable()
export class ReviewRepository {
  constructor(@Inject(GATEWAY_DATABASE) private readonly database: GatewayDatabase) {}

  /** Takes up to `limit` due drafts and postpones each. */
  takeDue(limit: number): Promise<readonly OpenReview[]> {
    return this.database.query(TAKE_DUE, [limit, RETRY_SECONDS, RECHECK_SECONDS]);
  }

  /** Finds an open review; null once it has ended, and for an absent draft. */
  async findOpen(submissionId: string): Promise<OpenReview | null> {
    const [row] = await this.database.query(FIND_OPEN, [submissionId]);
    return row ?? null;
  }

  async noteStarted(submissionId: string): Promise<void> {
    await this.database.query(NOTE_STARTED, [submissionId, RECHECK_SECONDS]);
  }

  async retrySoon(submissionId: string, inSeconds: number): Promise<void> {
    await this.database.query(RETRY_SOON, [submissionId, inSeconds]);
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
      if (isEnd) await session.query(END, [submissionId]);
    });
  }

  /** @param document canonical JSON. */
  async recordReadiness(document: string): Promise<void> {
    await this.database.query(RECORD_READINESS, [document]);
  }
}
