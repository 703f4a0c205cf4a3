import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../http/api.error.js';
import { exchangeOf } from '../http/exchange.js';
import { QUOTAS } from '../tokens.js';
import { AddressBuckets } from './address-buckets.js';
import type { QuotaName, Quotas, QuotaState } from './quotas.js';
import { RateBucketRepository } from './rate-bucket.repository.js';

/** Counts requests and refuses the one too many; what it counted is shown on the answer. */
@Injectable()
export class RateLimitService {
  private readonly addresses = new AddressBuckets();

  constructor(
    private readonly buckets: RateBucketRepository,
    @Inject(QUOTAS) private readonly quotas: Quotas,
  ) {}

  /** @throws ApiError `RATE_LIMITED` with the seconds to wait. */
  chargeAddress(request: FastifyRequest, name: QuotaName = 'public'): void {
    this.settle(request, name, this.addresses.take(`${name} ${request.ip}`, this.quotas[name], performance.now()));
  }

  /** @throws ApiError `RATE_LIMITED` with the seconds to wait. */
  async chargeLineage(request: FastifyRequest, lineageId: string, name: QuotaName): Promise<void> {
    this.settle(request, name, await this.buckets.take(`${name}/${lineageId}`, this.quotas[name]));
  }

  private settle(request: FastifyRequest, name: QuotaName, state: QuotaState): void {
    exchangeOf(request).quota = { name, state };
    if (!state.allowed) throw new ApiError('RATE_LIMITED', { retryAfterSeconds: state.resetSeconds });
  }
}
