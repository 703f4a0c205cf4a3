import { Module, type DynamicModule } from '@nestjs/common';
import { CursorCodec, ErrorFilter, Gate, MethodsByPath } from '@launch/http';
import { CredentialsModule } from '../../core/accounts/credentials/credentials.module.js';
import { REVIEWER_API } from '../../platform/openapi/api-subject.js';
import { API_SUBJECT } from '../../platform/tokens.js';
import { OpenApiDocument } from '../../platform/openapi/openapi.document.js';
import { httpProviders } from '../../platform/http/http.module.js';
import { ReviewReadinessService } from '../../core/submissions/review-readiness.service.js';
import { SubmissionRepository } from '../../core/submissions/submission.repository.js';
import { OperationsModule } from '../../platform/operations/operations.module.js';
import { PartsModule, type GatewayParts } from '../../composition/parts.module.js';
import { RateLimitsModule } from '../../platform/rate-limits/rate-limits.module.js';
import { ChangeReviewsService } from './domain/change-reviews.service.js';
import { ConsoleController } from './http/console/console.controller.js';
import { SessionController } from './http/console/session.controller.js';
import { DraftDecisionService } from './domain/draft-decision.service.js';
import { ReadReviewsService } from './domain/read-reviews.service.js';
import { ReviewQueueRepository } from './data/review-queue.repository.js';
import { ReviewerAuthenticator } from './http/reviewer.authenticator.js';
import { ReviewerSessions } from './http/reviewer-session.js';
import { ReviewsController } from './http/reviews.controller.js';

/** What the reviewers' listener is made of. */
export type ReviewerParts = Pick<
  GatewayParts,
  | 'database'
  | 'blobs'
  | 'formReader'
  | 'reviewUpdates'
  | 'reviewRenderer'
  | 'credentialPepper'
  | 'cursorKey'
  | 'quotas'
  | 'limits'
  | 'clock'
  | 'logger'
  | 'metrics'
  | 'readiness'
>;

@Module({
  imports: [CredentialsModule, RateLimitsModule],
  controllers: [ReviewsController, SessionController, ConsoleController],
  providers: [
    ReviewerSessions,
    ReviewerAuthenticator,
    ...httpProviders(ReviewerAuthenticator),
    SubmissionRepository,
    ReviewReadinessService,
    ReviewQueueRepository,
    ReadReviewsService,
    ChangeReviewsService,
    DraftDecisionService,
    OpenApiDocument,
    { provide: API_SUBJECT, useValue: REVIEWER_API },
  ],
  exports: [Gate, ErrorFilter, MethodsByPath, CursorCodec, RateLimitsModule, OpenApiDocument],
})
class ReviewerModule {}

/** The reviewers' listener over its parts. */
@Module({})
export class ReviewerAppModule {
  static of(parts: ReviewerParts): DynamicModule {
    return { module: ReviewerAppModule, imports: [PartsModule.of(parts), ReviewerModule, OperationsModule] };
  }
}
