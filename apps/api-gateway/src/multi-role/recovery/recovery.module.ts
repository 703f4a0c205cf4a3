import { Module } from '@nestjs/common';
import { ContextModule } from '../context/context.module.js';
import { LaunchRelayModule } from '../../launches/relay/launch-relay.module.js';
import { RecoveryRepository } from './recovery.repository.js';
import { RecoveryService } from './recovery.service.js';

@Module({
  imports: [ContextModule, LaunchRelayModule],
  providers: [RecoveryRepository, RecoveryService],
  exports: [RecoveryRepository, RecoveryService],
})
export class RecoveryModule {}
