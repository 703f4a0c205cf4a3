import { Module } from '@nestjs/common';
import { PlanRowsModule } from '../../../products/plans/plan-rows.module.js';
import { RelayModule } from '../../relay/relay.module.js';
import { LaunchRelayRepository } from './launch-relay.repository.js';
import { LaunchRelayService } from './launch-relay.service.js';

@Module({
  imports: [RelayModule, PlanRowsModule],
  providers: [LaunchRelayRepository, LaunchRelayService],
  exports: [LaunchRelayService, RelayModule],
})
export class LaunchRelayModule {}
