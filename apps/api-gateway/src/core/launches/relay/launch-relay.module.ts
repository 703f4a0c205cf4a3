import { Module } from '@nestjs/common';
import { RelayModule } from '../../relay/relay.module.js';
import { LaunchRelayRepository } from './launch-relay.repository.js';
import { LaunchRelayService } from './launch-relay.service.js';

@Module({
  imports: [RelayModule],
  providers: [LaunchRelayRepository, LaunchRelayService],
  exports: [LaunchRelayRepository, LaunchRelayService, RelayModule],
})
export class LaunchRelayModule {}
