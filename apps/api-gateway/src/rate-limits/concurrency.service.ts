import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from '@launch/platform';
import type { GatewayLimits } from '../config/limits.js';
import { ApiError } from '@launch/http';
import { LIMITS_CONFIG, LOGGER } from '../tokens.js';
import { WorkPlaceRepository } from './work-place.repository.js';

/** A place is free again after this even if its process was killed: well over what a create takes. */
const CREATE_MS = 5_000;
/** How much longer than its answer is waited for a preflight may hold its place. */
const PREFLIGHT_GRACE_MS = 5_000;

interface Bound {
  readonly places: number;
  readonly ms: number;
  readonly retryAfterSeconds: number;
}

/** At most so much work of one kind at once for each credential lineage, in all gateways together. */
@Injectable()
export class ConcurrencyService {
  private readonly bounds: Readonly<Record<'create' | 'preflight', Bound>>;

  constructor(
    private readonly places: WorkPlaceRepository,
    @Inject(LIMITS_CONFIG) limits: GatewayLimits,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.bounds = {
      create: { places: limits.concurrentCreates, ms: CREATE_MS, retryAfterSeconds: 1 },
      preflight: {
        places: limits.concurrentPreflights,
        ms: limits.preflightMs + PREFLIGHT_GRACE_MS,
        retryAfterSeconds: 2,
      },
    };
  }

  /** Does the work in a place of its own. @throws ApiError `RATE_LIMITED` when all are taken, and what the work throws. */
  async run<T>(kind: 'create' | 'preflight', lineageId: string, work: () => Promise<T>): Promise<T> {
    const { places, ms, retryAfterSeconds } = this.bounds[kind];
    const owner = `${kind}/${lineageId}`;
    const place = await this.places.take(owner, places, ms);
    if (place === null) throw new ApiError('RATE_LIMITED', { retryAfterSeconds });
    try {
      return await work();
    } finally {
      // Free again by itself after a while: no reason to lose the answer.
      await this.places
        .giveBack(owner, place)
        .catch((error: unknown) => this.logger.warn({ err: error, kind }, 'a place was not given back'));
    }
  }
}
