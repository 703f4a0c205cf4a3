import { Module, type DynamicModule } from '@nestjs/common';
import { CursorCodec, ErrorFilter, Gate, MethodsByPath } from '@launch/http';
import { CredentialsModule } from '../accounts/credentials/credentials.module.js';
import { REVIEWER_API } from '../discovery/openapi/api-subject.js';
import { API_SUBJECT } from '../tokens.js';
import { OpenApiDocument } from '../discovery/openapi/openapi.document.js';
import { httpProviders } from '../http/http.module.js';
import { ReviewReadinessService } from '../modules/review-readiness.service.js';
import { SubmissionRepository } from '../modules/submission.repository.js';
import { OperationsModule } from '../operations/operations.module.js';
import { PartsModule, type GatewayParts } from '../parts.module.js';
import { RateLimitsModule } from '../rate-limits/rate-limits.module.js';
import { ChangeReviewsService } from './change-reviews.service.js';
import { ConsoleController } from './console/console.controller.js';
import { SessionController } from './console/session.controller.js';
import { DraftDecisionService } from './draft-decision.service.js';
import { ReadReviewsService } from './read-reviews.service.js';
import { ReviewQueueRepository } from './review-queue.repository.js';
import { ReviewerAuthenticator } from './reviewer.authenticator.js';
import { ReviewerSessions } from './reviewer-session.js';
import { ReviewsController } from './reviews.controller.js';

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
