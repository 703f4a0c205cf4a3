import { Module } from '@nestjs/common';
import { ContextModule } from '../context/context.module.js';
import { HttpModule } from '../../http/http.module.js';
import { ReservationsModule } from '../../launches/reservations.module.js';
import { LaunchesController } from './launches.controller.js';
import { MultiRoleCreation } from './multi-role.creation.js';
import { ReadLaunchService } from './read-launch.service.js';
import { RequestJudge } from '../request/request-judge.js';

@Module({
  imports: [HttpModule, ContextModule, ReservationsModule],
  controllers: [LaunchesController],
  providers: [RequestJudge, MultiRoleCreation, ReadLaunchService],
  exports: [RequestJudge, ReadLaunchService],
})
export class LaunchesModule {}
