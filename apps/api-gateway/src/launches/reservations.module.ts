import { Module } from '@nestjs/common';
import { HttpModule } from '../http/http.module.js';
import { CreateLaunchService } from './create-launch.service.js';
import { LaunchRepository } from './launch.repository.js';
import { LaunchRelayModule } from './relay/launch-relay.module.js';

/** What launches of all families have in common: rows, the keys that reserve them, the relay of their workflows. */
@Module({
  imports: [HttpModule, LaunchRelayModule],
  providers: [LaunchRepository, CreateLaunchService],
  exports: [LaunchRepository, CreateLaunchService, LaunchRelayModule],
})
export class ReservationsModule {}
