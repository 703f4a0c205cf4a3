import { Module, type DynamicModule } from '@nestjs/common';
import { OpenApiDocumentModule } from '../platform/openapi/openapi-document.module.js';
import { ReviewerAuthenticator } from '../products/reviewer/http/reviewer.authenticator.js';
import { ReviewerModule } from '../products/reviewer/reviewer.module.js';
import { REVIEWER_API } from './api-subjects.js';
import { GateModule } from './gate.module.js';
import { OperationsModule } from './operations.module.js';
import { PartsModule, type GatewayParts } from './parts.module.js';

/** The parts of the reviewers' listener. */
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

/** Assembles the reviewers' listener over its parts. */
@Module({})
export class ReviewerAppModule {
  static of(parts: ReviewerParts): DynamicModule {
    return {
      module: ReviewerAppModule,
      imports: [
        PartsModule.of(parts),
        ReviewerModule,
        GateModule.of(ReviewerAuthenticator, ReviewerModule),
        OpenApiDocumentModule.of(REVIEWER_API),
        OperationsModule,
      ],
    };
  }
}
