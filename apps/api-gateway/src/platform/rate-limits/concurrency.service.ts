import { Inject, Injectable } from '@nestjs/common';
import { BoundedWork } from '@launch/http';
import type { Logger } from '@launch/platform';
import type { GatewayLimits } from '../configuration/limits.js';
import { LIMITS_CONFIG, LOGGER } from '../tokens.js';
import { WorkPlaceRepository } from './work-place.repository.js';

/** A place is free again after this even if its process was killed: well over what a create takes. */
const CREATE_MS = 5_000;
/** A body of 24 MiB is read for up to 30 s (`FormReaderPool`), and then it and its files are forced to the disk. */
const MODULE_CREATE_MS = 60_000;
/** How much longer than its answer is waited for a preflight may hold its place. */
const PREFLIGHT_GRACE_MS = 5_000;

/** At most so many creates and preflights at once for each credential lineage, in all gateways together. */
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
