import { Module } from '@nestjs/common';
import { CapabilitiesController } from './http/capabilities.controller.js';
import { CapabilitiesService } from './domain/capabilities.service.js';
import { ContextModule } from '../../core/context/context.module.js';

@Module({
  imports: [ContextModule],
  controllers: [CapabilitiesController],
  providers: [CapabilitiesService],
})
export class CapabilitiesModule {}
