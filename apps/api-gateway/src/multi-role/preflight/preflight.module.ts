import { Module } from '@nestjs/common';
import { HttpModule } from '../../http/http.module.js';
import { ReservationsModule } from '../../launches/reservations.module.js';
import { LaunchesModule } from '../launches/launches.module.js';
import { RateLimitsModule } from '../../rate-limits/rate-limits.module.js';
import { PreflightController } from './preflight.controller.js';
import { PreflightService } from './preflight.service.js';

@Module({
  imports: [HttpModule, LaunchesModule, RateLimitsModule, ReservationsModule],
  controllers: [PreflightController],
  providers: [PreflightService],
})
export class PreflightModule {}
