import { Module } from '@nestjs/common';
import { RateLimitsModule } from '../rate-limits/rate-limits.module.js';
import { RefusedRequestsRepository } from '../../core/launches/refused-requests.repository.js';
import { RefusedRequestsService } from '../../core/launches/refused-requests.service.js';
import { StorageIntake } from './storage-intake.service.js';

@Module({
  imports: [RateLimitsModule],
  providers: [StorageIntake, RefusedRequestsRepository, RefusedRequestsService],
  exports: [StorageIntake, RefusedRequestsService],
})
export class StorageModule {}
