import { Module } from '@nestjs/common';
import { HttpModule } from '../../platform/http/http.module.js';
import { ReservationsModule } from '../../core/launches/reservations.module.js';
import { LaunchesModule } from './launches.module.js';
import { RateLimitsModule } from '../../platform/rate-limits/rate-limits.module.js';
import { PreflightController } from './http/preflight.controller.js';
import { PreflightService } from './domain/preflight.service.js';

@Module({
  imports: [HttpModule, LaunchesModule, RateLimitsModule, ReservationsModule],
  controllers: [PreflightController],
  providers: [PreflightService],
})
export class PreflightModule {}
