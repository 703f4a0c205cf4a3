import { Module, type DynamicModule } from '@nestjs/common';
import { OpenApiDocumentModule } from '../../platform/openapi/openapi-document.module.js';
import { ReviewerAuthenticator } from '../../products/reviewer/http/reviewer.authenticator.js';
import { ReviewerModule } from '../../products/reviewer/reviewer.module.js';
import { REVIEWER_API } from '../api-subjects.js';
import { GateModule } from '../gate.module.js';
import { OperationsModule } from '../operations.module.js';
import { PartsModule, type ReviewConsoleParts } from '../parts.module.js';

/** Assembles the reviewers' listener over its parts. */
@Module({})
export class ReviewConsoleModule {
  static of(parts: ReviewConsoleParts): DynamicModule {
    return {
      module: ReviewConsoleModule,
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
