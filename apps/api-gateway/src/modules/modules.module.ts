import { Module } from '@nestjs/common';
import { CoinsModule } from '../coins/coins.module.js';
import { HttpModule } from '../http/http.module.js';
import { ProjectionsModule } from '../projections/projections.module.js';
import { RelayModule } from '../relay/relay.module.js';
import { FoundationReleasesController } from './foundation-releases.controller.js';
import { ModuleCapabilitiesController } from './module-capabilities.controller.js';
import { ReadModulesService } from './read-modules.service.js';
import { ReviewProjectionsService } from './review/review-projections.service.js';
import { ReviewRelayService } from './review/review-relay.service.js';
import { ReviewRepository } from './review/review.repository.js';
import { ReviewReadinessService } from './review-readiness.service.js';
import { StorageModule } from '../storage/storage.module.js';
import { SubmissionRepository } from './submission.repository.js';
import { SubmissionsController } from './submissions.controller.js';
import { SubmitModuleService } from './submit-module.service.js';

@Module({
  imports: [StorageModule, CoinsModule, HttpModule, RelayModule, ProjectionsModule],
  controllers: [ModuleCapabilitiesController, FoundationReleasesController, SubmissionsController],
  providers: [
    SubmissionRepository,
    SubmitModuleService,
    ReadModulesService,
    ReviewReadinessService,
    ReviewRepository,
    ReviewRelayService,
    ReviewProjectionsService,
  ],
})
export class ModulesModule {}
