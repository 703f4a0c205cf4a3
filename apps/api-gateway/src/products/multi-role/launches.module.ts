import { Module } from '@nestjs/common';
import { ContextModule } from '../../core/context/context.module.js';
import { HttpModule } from '../../platform/http/http.module.js';
import { ReservationsModule } from '../../core/launches/reservations.module.js';
import { LaunchesController } from './http/launches.controller.js';
import { ProjectionsModule } from '../../core/projections/projections.module.js';
import { MultiRoleProjectionRepository } from './data/multi-role-projection.repository.js';
import { MultiRoleProjections } from './domain/multi-role.projections.js';
import { MultiRoleCreation } from './domain/multi-role.creation.js';
import { ReadLaunchService } from './domain/read-launch.service.js';
import { RequestJudge } from './domain/request-judge.js';

@Module({
  imports: [HttpModule, ContextModule, ReservationsModule, ProjectionsModule],
  controllers: [LaunchesController],
  providers: [RequestJudge, MultiRoleCreation, ReadLaunchService, MultiRoleProjectionRepository, MultiRoleProjections],
  exports: [RequestJudge, ReadLaunchService],
})
export class LaunchesModule {}
