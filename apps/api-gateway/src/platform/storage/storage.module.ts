import { Module } from '@nestjs/common';
import { RateLimitsModule } from '../rate-limits/rate-limits.module.js';
import { StorageIntake } from './storage-intake.service.js';

@Module({
  imports: [RateLimitsModule],
  providers: [StorageIntake],
  exports: [StorageIntake],
})
export class StorageModule {}
