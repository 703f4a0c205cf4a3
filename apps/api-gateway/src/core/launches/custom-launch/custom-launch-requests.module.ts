import { Module } from '@nestjs/common';
import { LaunchGatesModule } from '../../gates/launch-gates.module.js';
import { ReservationsModule } from '../reservations.module.js';
import { RateLimitsModule } from '../../../platform/rate-limits/rate-limits.module.js';
import { CustomLaunchPreflightService } from './custom-launch-preflight.service.js';
import { CustomLaunchJudge } from './custom-launch.judge.js';

/** Provides the judge of custom launches and plans; each transport reports its verdict in its own form. */
@Module({
  imports: [ReservationsModule, LaunchGatesModule, RateLimitsModule],
  providers: [CustomLaunchJudge, CustomLaunchPreflightService],
  exports: [CustomLaunchJudge, CustomLaunchPreflightService, ReservationsModule],
})
export class CustomLaunchRequestsModule {}
