import { Inject, Injectable } from '@nestjs/common';
import type { PublishedSource, ReadStatus } from '@launch/contracts/index';
import { canonicalSha256 } from '@launch/contracts/primitives';
import { ApiError } from '@launch/http';
import { CLOCK, type Clock } from '../../../platform/tokens.js';
import { freshnessOf, lastUpdateOf } from '../data/index-freshness.js';
import { IndexRowsRepository } from '../data/index-rows.repository.js';

/** The sources from one reading, and a version of that state. */
export interface IndexState {
  readonly sources: readonly PublishedSource[];
  /** Differs after every write of a source: each transaction of the indexer moves `updated_at`. */
  readonly version: string;
}

export interface Freshness {
  readonly status: ReadStatus;
  readonly updatedAt: string | null;
}

/** Returns the error for a coin about which the index is not sure yet. */
export const notCurrent = (): ApiError => new ApiError('INDEX_NOT_CURRENT', { retryAfterSeconds: 5 });

/** Reads the state of the sources. */
@Injectable()
export class IndexStateService {
  constructor(
    @Inject(IndexRowsRepository) private readonly rows: Pick<IndexRowsRepository, 'sources'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async state(): Promise<IndexState> {
    const sources = await this.rows.sources();
    const version = canonicalSha256(sources.map((source) => JSON.stringify(source)));
    return { sources, version };
  }

  /** Rates the freshness of some sources. */
  freshness(sources: readonly PublishedSource[]): Freshness {
    return { status: freshnessOf(sources, this.clock.now()), updatedAt: lastUpdateOf(sources) };
  }

  /** Returns the error for a coin that the index does not have: it is absent only if these sources are current. */
  missing(sources: readonly PublishedSource[]): ApiError {
    return this.freshness(sources).status === 'ok' ? new ApiError('NOT_FOUND') : notCurrent();
  }
}
