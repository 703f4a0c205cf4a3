import { Module } from '@nestjs/common';
import { ContextModule } from '../context/context.module.js';
import { HttpModule } from '../../http/http.module.js';
import { LaunchRelayModule } from '../relay/launch-relay.module.js';
import { CreateLaunchService } from './create-launch.service.js';
import { LaunchRepository } from './launch.repository.js';
import { LaunchesController } from './launches.controller.js';
import { ReadLaunchService } from './read-launch.service.js';
import { RequestJudge } from '../request/request-judge.js';

@Module({
  imports: [HttpModule, ContextModule, LaunchRelayModule],
  controllers: [LaunchesController],
  providers: [LaunchRepository, RequestJudge, CreateLaunchService, ReadLaunchService],
  exports: [LaunchRepository, RequestJudge, ReadLaunchService],
})
export class LaunchesModule {}
