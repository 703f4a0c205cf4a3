import { Module } from '@nestjs/common';
import { RateBucketRepository } from './rate-bucket.repository.js';
import { RateLimitService } from './rate-limit.service.js';

@Module({ providers: [RateBucketRepository, RateLimitService], exports: [RateLimitService, RateBucketRepository] })
export class RateLimitsModule {}
