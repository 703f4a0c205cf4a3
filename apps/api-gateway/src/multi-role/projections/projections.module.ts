import { Module } from '@nestjs/common';
import { LaunchRelayModule } from '../../launches/relay/launch-relay.module.js';
import { ProjectionRepository } from './projection.repository.js';
import { ProjectionService } from './projection.service.js';

@Module({
  imports: [LaunchRelayModule],
  providers: [ProjectionRepository, ProjectionService],
  exports: [ProjectionService],
})
export class ProjectionsModule {}
