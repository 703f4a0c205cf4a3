import { Module } from '@nestjs/common';
import { LaunchesModule } from '../launches/launches.module.js';
import { LaunchRelayModule } from '../../launches/relay/launch-relay.module.js';
import { HintRepository } from './hint.repository.js';
import { HintService } from './hint.service.js';
import { HintsController } from './hints.controller.js';

@Module({
  imports: [LaunchesModule, LaunchRelayModule],
  controllers: [HintsController],
  providers: [HintRepository, HintService],
})
export class HintsModule {}
