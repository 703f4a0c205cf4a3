import { Module } from '@nestjs/common';
import { OpenApiModule } from '../discovery/openapi.module.js';
import { CapabilitiesController } from './http/capabilities.controller.js';
import { CapabilitiesService } from './domain/capabilities.service.js';
import { ContextModule } from '../../core/context/context.module.js';

@Module({
  imports: [ContextModule, OpenApiModule],
  controllers: [CapabilitiesController],
  providers: [CapabilitiesService],
})
export class CapabilitiesModule {}
