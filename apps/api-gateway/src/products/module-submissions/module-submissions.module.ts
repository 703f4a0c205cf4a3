import { Module } from '@nestjs/common';
import { HttpModule } from '../../platform/http/http.module.js';
import { ProjectionsModule } from '../../core/projections/projections.module.js';
import { RelayModule } from '../../core/relay/relay.module.js';
import { ModuleCapabilitiesController } from './http/module-capabilities.controller.js';
import { ReadSubmissionsService } from './domain/read-submissions.service.js';
import { ReviewProjectionsService } from './domain/review-projections.service.js';
import { ReviewRelayService } from './domain/review-relay.service.js';
import { ReviewRepository } from './data/review.repository.js';
import { ReviewReadinessService } from '../../core/module-submissions/review-readiness.service.js';
import { StorageModule } from '../../platform/storage/storage.module.js';
import { SubmissionRepository } from '../../core/module-submissions/submission.repository.js';
import { SubmissionsController } from './http/submissions.controller.js';
import { SubmitModuleService } from './domain/submit-module.service.js';

@Module({
  imports: [StorageModule, HttpModule, RelayModule, ProjectionsModule],
  controllers: [ModuleCapabilitiesController, SubmissionsController],
  providers: [
    SubmissionRepository,
    SubmitModuleService,
    ReadSubmissionsService,
    ReviewReadinessService,
    ReviewRepository,
    ReviewRelayService,
    ReviewProjectionsService,
  ],
})
export class ModuleSubmissionsModule {}
