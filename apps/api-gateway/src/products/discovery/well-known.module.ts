import { Module } from '@nestjs/common';
import { LaunchGatesModule } from '../../core/gates/launch-gates.module.js';
import { ContextModule } from '../../core/context/context.module.js';
import { DiscoveryService } from './domain/discovery.service.js';
import { WellKnownController } from './http/well-known.controller.js';

@Module({
  imports: [ContextModule, LaunchGatesModule],
  controllers: [WellKnownController],
  providers: [DiscoveryService],
})
export class WellKnownModule {}
