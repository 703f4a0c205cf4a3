import { Module } from '@nestjs/common';
import { ContextModule } from '../../core/context/context.module.js';
import { RecoveryModule } from './recovery.module.js';
import { DerivedFinalityController } from './http/derived-finality.controller.js';
import { DerivedFinalityService } from './domain/derived-finality.service.js';

@Module({
  imports: [ContextModule, RecoveryModule],
  controllers: [DerivedFinalityController],
  providers: [DerivedFinalityService],
})
export class DerivedFinalityModule {}
