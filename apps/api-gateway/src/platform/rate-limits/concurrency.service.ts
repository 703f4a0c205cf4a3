import { Inject, Injectable } from '@nestjs/common';
import { BoundedWork } from '@launch/http';
import type { Logger } from '@launch/platform';
import type { GatewayLimits } from '../configuration/limits.js';
import { LIMITS_CONFIG, LOGGER } from '../tokens.js';
import { WorkPlaceRepository } from './work-place.repository.js';

/** Lease of a slot, after which it is free even if its process was killed: well over the duration of a create. */
const CREATE_MS = 5_000;
/** Reading a body of 24 MiB takes up to 30 s (`FormReaderPool`); then it and its files are flushed to the disk. */
const MODULE_CREATE_MS = 60_000;
/** Time beyond its timeout for which a preflight may hold its slot. */
const PREFLIGHT_GRACE_MS = 5_000;

/** Bounds the concurrent creates and preflights of each credential lineage across all gateways. */
@Injectable()
export class ConcurrencyService extends BoundedWork<'create' | 'module-create' | 'preflight'> {
  constructor(
    places: WorkPlaceRepository,
    @Inject(LIMITS_CONFIG) limits: GatewayLimits,
    @Inject(LOGGER) logger: Logger,
  ) {
    const preflightMs = limits.preflightMs + PREFLIGHT_GRACE_MS;
    super(
      places,
      {
        create: { places: limits.concurrentCreates, ms: CREATE_MS, retryAfterSeconds: 1 },
        'module-create': { places: limits.concurrentCreates, ms: MODULE_CREATE_MS, retryAfterSeconds: 2 },
        preflight: { places: limits.concurrentPreflights, ms: preflightMs, retryAfterSeconds: 2 },
      },
      logger,
    );
  }
}
