import { Module } from '@nestjs/common';
import { HttpModule } from '../../platform/http/http.module.js';
import { LaunchGatesModule } from '../../core/gates/launch-gates.module.js';
import { CustomLaunchRequestsModule } from '../../core/launches/custom-launch/custom-launch-requests.module.js';
import { CustomLaunchesController } from './http/custom-launches.controller.js';
import { ReadCustomLaunchService } from './domain/read-custom-launch.service.js';
import { ProjectionsModule } from '../../core/projections/projections.module.js';
import { CustomLaunchProjections } from './domain/custom-launch.projections.js';
import { CustomLaunchCreation } from './domain/custom-launch.creation.js';
import { CustomLaunchPreflightController } from './http/custom-launch-preflight.controller.js';

@Module({
  imports: [HttpModule, CustomLaunchRequestsModule, LaunchGatesModule, ProjectionsModule],
  controllers: [CustomLaunchesController, CustomLaunchPreflightController],
  providers: [CustomLaunchCreation, CustomLaunchProjections, ReadCustomLaunchService],
})
export class CustomLaunchesModule {}
