import { Module } from '@nestjs/common';
import { LaunchGatesModule } from '../launch-gates/launch-gates.module.js';
import { ReservationsModule } from '../launches/reservations.module.js';
import { RateLimitsModule } from '../rate-limits/rate-limits.module.js';
import { CustomPreflightService } from './custom-preflight.service.js';
import { CustomRequestJudge } from './custom-request.judge.js';

/** How bodies of V4 launches and of plans are judged, before each transport says so in its own way. */
@Module({
  imports: [ReservationsModule, LaunchGatesModule, RateLimitsModule],
  providers: [CustomRequestJudge, CustomPreflightService],
  exports: [CustomRequestJudge, CustomPreflightService, ReservationsModule],
})
export class CustomRequestsModule {}
