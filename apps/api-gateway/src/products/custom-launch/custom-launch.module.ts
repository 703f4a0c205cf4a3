import { Module } from '@nestjs/common';
import { FeedRowsModule } from '../../core/feeds/feed-rows.module.js';
import { LaunchGatesModule } from '../../core/gates/launch-gates.module.js';
import { CustomLaunchRequestsModule } from '../../core/launches/custom-launch/custom-launch-requests.module.js';
import { ProjectionsModule } from '../../core/projections/projections.module.js';
import { HttpModule } from '../../platform/http/http.module.js';
import { CustomLaunchFeedService } from './domain/custom-launch-feed.service.js';
import { CustomLaunchCreation } from './domain/custom-launch.creation.js';
import { CustomLaunchProjections } from './domain/custom-launch.projections.js';
import { ReadCustomLaunchService } from './domain/read-custom-launch.service.js';
import { CustomLaunchEvidenceController, CustomLaunchFeedController } from './http/custom-launch-feed.controller.js';
import { CustomLaunchPreflightController } from './http/custom-launch-preflight.controller.js';
import { CustomLaunchesController } from './http/custom-launches.controller.js';

@Module({
  imports: [HttpModule, CustomLaunchRequestsModule, LaunchGatesModule, ProjectionsModule, FeedRowsModule],
  controllers: [
    CustomLaunchesController,
    CustomLaunchPreflightController,
    CustomLaunchFeedController,
    CustomLaunchEvidenceController,
  ],
  providers: [CustomLaunchCreation, CustomLaunchProjections, ReadCustomLaunchService, CustomLaunchFeedService],
})
export class CustomLaunchModule {}
