import { Module } from '@nestjs/common';
import { ContextModule } from '../context/context.module.js';
import { RelayModule } from '../../relay/relay.module.js';
import { RecoveryRepository } from './recovery.repository.js';
import { RecoveryService } from './recovery.service.js';

@Module({
  imports: [ContextModule, RelayModule],
  providers: [RecoveryRepository, RecoveryService],
  exports: [RecoveryRepository, RecoveryService],
})
export class RecoveryModule {}
