import { Module } from '@nestjs/common';
import { LaunchesModule } from '../launches/launches.module.js';
import { RateLimitsModule } from '../../rate-limits/rate-limits.module.js';
import { PreflightController } from './preflight.controller.js';
import { PreflightService } from './preflight.service.js';

@Module({
  imports: [LaunchesModule, RateLimitsModule],
  controllers: [PreflightController],
  providers: [PreflightService],
})
export class PreflightModule {}
