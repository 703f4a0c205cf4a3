import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { ReviewSubject } from '@launch/contracts/orchestration';
import type { Logger } from '@launch/platform';
import { RelayService } from '../../../core/relay/relay.service.js';
import type { Carried, RelayedKind } from '../../../core/relay/relayed.js';
import { LOGGER } from '../../../platform/tokens.js';
import { REVIEW_WORKFLOWS, type ReviewWorkflows } from './review-workflows.js';
import { ReviewRepository, type OpenReview } from '../data/review.repository.js';

const RETRY_SECONDS = 2;
/** Age at which a draft without a review is reported to the operator. */
const LATE_SECONDS = 60;

/** Starts `review/<submissionId>` for a module draft, until its review has ended. */
@Injectable()
export class ReviewRelayService implements RelayedKind, OnModuleInit {
  readonly kind = 'module-submission';

  constructor(
    private readonly relay: RelayService,
    private readonly reviews: ReviewRepository,
    @Inject(REVIEW_WORKFLOWS) private readonly workflows: ReviewWorkflows,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.relay.register(this);
  }

  /** Starts the review of a fresh draft once no request is ahead of it (see `RelayService.first`); a failure is left to the sweep. */
  carry(subject: ReviewSubject): void {
    this.relay.carry(this.kind, this.carriedOf(subject));
  }

  async takeDue(limit: number): Promise<readonly Carried[]> {
    const due = await this.reviews.takeDue(limit);
    for (const { submissionId, isStarted, ageSeconds } of due)
      if (!isStarted && ageSeconds > LATE_SECONDS)
        this.logger.error({ submissionId, ageSeconds: Math.round(ageSeconds) }, 'a module draft has no review yet');
    return due.map((one) => this.carriedOf(subjectOf(one)));
  }

  async find(submissionId: string): Promise<Carried | null> {
    const open = await this.reviews.findOpen(submissionId);
    return open === null ? null : this.carriedOf(subjectOf(open));
  }

  async retrySoon(submissionId: string): Promise<void> {
    await this.reviews.retrySoon(submissionId, RETRY_SECONDS);
  }

  private carriedOf(subject: ReviewSubject): Carried {
    const { submissionId } = subject;
    return {
      id: submissionId,
      carry: async () => {
        await this.workflows.startReview(subject);
        await this.reviews.noteStarted(submissionId);
      },
    };
  }
}

const subjectOf = ({ isStarted: _isStarted, ageSeconds: _age, ...subject }: OpenReview): ReviewSubject => subject;
