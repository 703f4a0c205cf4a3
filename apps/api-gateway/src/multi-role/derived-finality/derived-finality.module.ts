import { Module } from '@nestjs/common';
import { ContextModule } from '../context/context.module.js';
import { RecoveryModule } from '../recovery/recovery.module.js';
import { DerivedFinalityController } from './derived-finality.controller.js';
import { DerivedFinalityService } from './derived-finality.service.js';

@Module({
  imports: [ContextModule, RecoveryModule],
  controllers: [DerivedFinalityController],
  providers: [DerivedFinalityService],
})
export class DerivedFinalityModule {}
