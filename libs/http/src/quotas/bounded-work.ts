import type { Logger } from '@launch/platform';
import { ApiError } from '../errors/api.error.js';

/** Where all processes of a service keep who works on what. */
export interface WorkPlaces {
  /** Takes one of `places` for at most `ms`, atomically; what to give back, or null when all are held. */
  take(owner: string, places: number, ms: number): Promise<string | null>;
  giveBack(owner: string, place: string): Promise<void>;
}

/** How much of one kind of work one owner may have under way. */
export interface WorkBound {
  readonly places: number;
  /** A place is free again after this even if its process was killed. */
  readonly ms: number;
  readonly retryAfterSeconds: number;
}

/** At most so much work of one kind at once for each owner, in all processes together. */
export class BoundedWork<Kind extends string> {
  constructor(
    private readonly places: WorkPlaces,
    private readonly bounds: Readonly<Record<Kind, WorkBound>>,
    private readonly logger: Logger,
  ) {}

  /** Does the work in a place of its own. @throws ApiError `RATE_LIMITED` when all are taken, and what the work throws. */
  async run<T>(kind: Kind, lineageId: string, work: () => Promise<T>): Promise<T> {
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
