import { Module } from '@nestjs/common';
import { OpenApiModule } from '../../discovery/openapi/openapi.module.js';
import { CapabilitiesController } from './capabilities.controller.js';
import { CapabilitiesService } from './capabilities.service.js';
import { ContextModule } from '../context/context.module.js';

@Module({
  imports: [ContextModule, OpenApiModule],
  controllers: [CapabilitiesController],
  providers: [CapabilitiesService],
})
export class CapabilitiesModule {}
