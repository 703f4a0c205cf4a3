import { Inject, Injectable } from '@nestjs/common';
import type { PublishedSource, ReadStatus } from '@launch/contracts/index';
import { canonicalSha256 } from '@launch/contracts/primitives';
import { SharedRead } from '../../../core/feeds/shared-read.js';
import { CLOCK, type Clock } from '../../../platform/tokens.js';
import { freshnessOf, lastUpdateOf } from '../data/index-freshness.js';
import { IndexRowsRepository } from '../data/index-rows.repository.js';

/** The sources as they were read at once, and a name of that state. */
export interface IndexState {
  readonly sources: readonly PublishedSource[];
  /** Another one whenever a source was written: each transaction of the indexer moves `updated_at`. */
  readonly version: string;
}

export interface Freshness {
  readonly status: ReadStatus;
  readonly updatedAt: string | null;
}

/** What is known of the sources; one question at a time for all who ask. */
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

  /** The state since the call. */
  state(): Promise<IndexState> {
    return this.reading.ask();
  }

  /** How sure what some sources show is. */
  freshness(sources: readonly PublishedSource[]): Freshness {
    return { status: freshnessOf(sources, this.clock.now()), updatedAt: lastUpdateOf(sources) };
  }
}
