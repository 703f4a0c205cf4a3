import { Module } from '@nestjs/common';
import { ConcurrencyService } from './concurrency.service.js';
import { RateBucketRepository } from './rate-bucket.repository.js';
import { RateLimitService } from './rate-limit.service.js';
import { WorkPlaceRepository } from './work-place.repository.js';

@Module({
  providers: [RateBucketRepository, WorkPlaceRepository, RateLimitService, ConcurrencyService],
  exports: [RateLimitService, ConcurrencyService, RateBucketRepository, WorkPlaceRepository],
})
export class RateLimitsModule {}
