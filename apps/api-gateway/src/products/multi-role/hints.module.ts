import { Module } from '@nestjs/common';
import { LaunchesModule } from './launches.module.js';
import { LaunchRelayModule } from '../../core/launches/relay/launch-relay.module.js';
import { HintRepository } from './data/hint.repository.js';
import { HintService } from './domain/hint.service.js';
import { HintsController } from './http/hints.controller.js';

@Module({
  imports: [LaunchesModule, LaunchRelayModule],
  controllers: [HintsController],
  providers: [HintRepository, HintService],
})
export class HintsModule {}
