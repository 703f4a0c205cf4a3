import { Inject, Injectable } from '@nestjs/common';
import type { PublishedSource, ReadStatus } from '@launch/contracts/index';
import { canonicalSha256 } from '@launch/contracts/primitives';
import { SharedRead } from '../../../core/feeds/shared-read.js';
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

/** Reads the state of the sources, one query at a time for all callers. */
@Injectable()
export class IndexStateService {
  private readonly reading = new SharedRead(async (): Promise<IndexState> => {
    const sources = await this.rows.sources();
    const version = canonicalSha256(sources.map((source) => JSON.stringify(source)));
    return { sources, version };
  });

  constructor(
    private readonly rows: IndexRowsRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Returns a state read since the call. */
  state(): Promise<IndexState> {
    return this.reading.ask();
  }

  /** Rates the freshness of some sources. */
  freshness(sources: readonly PublishedSource[]): Freshness {
    return { status: freshnessOf(sources, this.clock.now()), updatedAt: lastUpdateOf(sources) };
  }
}
