import { Module } from '@nestjs/common';
import { ReservationsModule } from '../../launches/reservations.module.js';
import { LaunchesModule } from '../launches/launches.module.js';
import { RateLimitsModule } from '../../rate-limits/rate-limits.module.js';
import { PreflightController } from './preflight.controller.js';
import { PreflightService } from './preflight.service.js';

@Module({
  imports: [LaunchesModule, RateLimitsModule, ReservationsModule],
  controllers: [PreflightController],
  providers: [PreflightService],
})
export class PreflightModule {}
