import { Module } from '@nestjs/common';
import { LaunchGatesModule } from '../../launch-gates/launch-gates.module.js';
import { ContextModule } from '../../multi-role/context/context.module.js';
import { OpenApiModule } from '../openapi/openapi.module.js';
import { DiscoveryService } from './discovery.service.js';
import { WellKnownController } from './well-known.controller.js';

@Module({
  imports: [ContextModule, LaunchGatesModule, OpenApiModule],
  controllers: [WellKnownController],
  providers: [DiscoveryService],
})
export class WellKnownModule {}
