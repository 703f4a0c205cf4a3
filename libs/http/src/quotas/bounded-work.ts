import type { Logger } from '@launch/platform';
import { ApiError } from '../errors/api.error.js';

/** The places that all processes of a service share, by owner. */
export interface WorkPlaces {
  /** Takes one of `places` for at most `ms`, atomically. Returns the id to give back, or null if all are held. */
  take(owner: string, places: number, ms: number): Promise<string | null>;
  giveBack(owner: string, place: string): Promise<void>;
}

/** The bound on one kind of work of one owner. */
export interface WorkBound {
  readonly places: number;
  /** A place is free again after this time even if its process was killed. */
  readonly ms: number;
  readonly retryAfterSeconds: number;
}

/** Bounds the concurrent work of one kind for each owner, across all processes. */
export class BoundedWork<Kind extends string> {
  constructor(
    private readonly places: WorkPlaces,
    private readonly bounds: Readonly<Record<Kind, WorkBound>>,
    private readonly logger: Logger,
  ) {}

  /** Does the work in one place. @throws ApiError `RATE_LIMITED` if all are taken, and the errors of the work. */
  async run<T>(kind: Kind, lineageId: string, work: () => Promise<T>): Promise<T> {
    const { places, ms, retryAfterSeconds } = this.bounds[kind];
    const owner = `${kind}/${lineageId}`;
    const place = await this.places.take(owner, places, ms);
    if (place === null) throw new ApiError('RATE_LIMITED', { retryAfterSeconds });
    try {
      return await work();
    } finally {
      // The place expires after a while, so a failure here must not lose the answer.
      await this.places
        .giveBack(owner, place)
        .catch((error: unknown) => this.logger.warn({ err: error, kind }, 'a place was not given back'));
    }
  }
}
