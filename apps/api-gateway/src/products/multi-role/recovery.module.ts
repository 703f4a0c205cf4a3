import { Module } from '@nestjs/common';
import { ContextModule } from '../../core/context/context.module.js';
import { LaunchRelayModule } from '../../core/launches/relay/launch-relay.module.js';
import { RecoveryRepository } from './data/recovery.repository.js';
import { RecoveryService } from './domain/recovery.service.js';

@Module({
  imports: [ContextModule, LaunchRelayModule],
  providers: [RecoveryRepository, RecoveryService],
  exports: [RecoveryRepository, RecoveryService],
})
export class RecoveryModule {}
