import { Module } from '@nestjs/common';
import { ContextModule } from '../../core/context/context.module.js';
import { FeedRowsModule } from '../../core/feeds/feed-rows.module.js';
import { ReservationsModule } from '../../core/launches/reservations.module.js';
import { ProjectionsModule } from '../../core/projections/projections.module.js';
import { HttpModule } from '../../platform/http/http.module.js';
import { HintRepository } from './data/hint.repository.js';
import { MultiRoleProjectionRepository } from './data/multi-role-projection.repository.js';
import { RecoveryRepository } from './data/recovery.repository.js';
import { CapabilitiesService } from './domain/capabilities.service.js';
import { DerivedFinalityService } from './domain/derived-finality.service.js';
import { FinalityService } from './domain/finality.service.js';
import { FinalizedFeedV2, FinalizedFeedV3, FinalizedService } from './domain/finalized.service.js';
import { HintService } from './domain/hint.service.js';
import { MultiRoleCreation } from './domain/multi-role.creation.js';
import { MultiRoleProjections } from './domain/multi-role.projections.js';
import { PreflightService } from './domain/preflight.service.js';
import { ReadLaunchService } from './domain/read-launch.service.js';
import { RecoveryService } from './domain/recovery.service.js';
import { RequestJudge } from './domain/request-judge.js';
import { CapabilitiesController } from './http/capabilities.controller.js';
import { DerivedFinalityController } from './http/derived-finality.controller.js';
import { FinalityController } from './http/finality.controller.js';
import {
  FinalizedController,
  FinalizedFeedController,
  FinalizedFeedV3Controller,
  FinalizedV3Controller,
} from './http/finalized.controller.js';
import { HintsController } from './http/hints.controller.js';
import { LaunchesController } from './http/launches.controller.js';
import { PreflightController } from './http/preflight.controller.js';

@Module({
  imports: [HttpModule, ContextModule, ReservationsModule, ProjectionsModule, FeedRowsModule],
  controllers: [
    CapabilitiesController,
    LaunchesController,
    PreflightController,
    HintsController,
    FinalityController,
    FinalizedFeedController,
    FinalizedController,
    FinalizedFeedV3Controller,
    FinalizedV3Controller,
    DerivedFinalityController,
  ],
  providers: [
    HintRepository,
    MultiRoleProjectionRepository,
    RecoveryRepository,
    CapabilitiesService,
    RequestJudge,
    PreflightService,
    MultiRoleCreation,
    ReadLaunchService,
    HintService,
    FinalityService,
    DerivedFinalityService,
    FinalizedFeedV2,
    FinalizedFeedV3,
    FinalizedService,
    MultiRoleProjections,
    RecoveryService,
  ],
})
export class MultiRoleModule {}
