import { Module } from '@nestjs/common';
import { HttpModule } from '../../platform/http/http.module.js';
import { CredentialsModule } from '../../core/accounts/credentials/credentials.module.js';
import { ReviewReadinessService } from '../../core/module-submissions/review-readiness.service.js';
import { SubmissionRepository } from '../../core/module-submissions/submission.repository.js';
import { ChangeReviewsService } from './domain/change-reviews.service.js';
import { ConsoleController } from './http/console/console.controller.js';
import { SessionController } from './http/console/session.controller.js';
import { DraftDecisionService } from './domain/draft-decision.service.js';
import { ReadReviewsService } from './domain/read-reviews.service.js';
import { ReviewQueueRepository } from './data/review-queue.repository.js';
import { ReviewerAuthenticator } from './http/reviewer.authenticator.js';
import { ReviewerSessions } from './http/reviewer-session.js';
import { ReviewsController } from './http/reviews.controller.js';

@Module({
  imports: [CredentialsModule, HttpModule],
  controllers: [ReviewsController, SessionController, ConsoleController],
  providers: [
    ReviewerSessions,
    ReviewerAuthenticator,
    SubmissionRepository,
    ReviewReadinessService,
    ReviewQueueRepository,
    ReadReviewsService,
    ChangeReviewsService,
    DraftDecisionService,
  ],
  exports: [ReviewerAuthenticator],
})
export class ReviewerModule {}
