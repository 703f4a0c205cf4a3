import { Module } from '@nestjs/common';
import { RateLimitService } from '@launch/http';
import type { Quotas } from '@launch/platform/quotas';
import type { Logger, Registry } from '@launch/platform';
import type { GatewayLimits } from '../configuration/limits.js';
import { LIMITS_CONFIG, LOGGER, METRICS, QUOTAS } from '../tokens.js';
import { ConcurrencyService } from './concurrency.service.js';
import { RateBucketRepository } from './rate-bucket.repository.js';
import { WorkPlaceRepository } from './work-place.repository.js';

@Module({
  providers: [
    RateBucketRepository,
    WorkPlaceRepository,
    ConcurrencyService,
    {
      provide: RateLimitService,
      inject: [RateBucketRepository, QUOTAS, LIMITS_CONFIG, METRICS, LOGGER],
      useFactory: (
        buckets: RateBucketRepository,
        quotas: Quotas,
        { sharedCountMs, trustedProxies }: GatewayLimits,
        metrics: Registry,
        logger: Logger,
      ) => new RateLimitService(buckets, { quotas, sharedCountMs, trustedProxies, metrics, logger }),
    },
  ],
  exports: [RateLimitService, ConcurrencyService, RateBucketRepository, WorkPlaceRepository],
})
export class RateLimitsModule {}
