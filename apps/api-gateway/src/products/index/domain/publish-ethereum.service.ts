import { Inject, Injectable } from '@nestjs/common';
import type { EthereumFeedActivities, EthereumFeedReading } from '@launch/contracts/orchestration';
import { failpoint, type Logger } from '@launch/platform';
import { INDEX_DATABASE, NO_INDEX, type IndexDatabase } from '../data/index-database.js';
import { LOGGER } from '../../../platform/tokens.js';
import { EthereumFeedRepository } from '../data/ethereum-feed.repository.js';
import { judgeRow } from '../data/ethereum-record.js';
import { IndexReadingRepository } from '../data/index-reading.repository.js';

/** Launches of one reading, at most. */
const READING_ROWS = 200;

/** Publishes the index's Custom launches of Ethereum in the gateway's database (docs/reference/index-reads.md#ethereum-finalized-feed). */
@Injectable()
export class PublishEthereumService implements EthereumFeedActivities {
  constructor(
    private readonly index: IndexReadingRepository,
    private readonly feed: EthereumFeedRepository,
    @Inject(INDEX_DATABASE) private readonly database: IndexDatabase,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async publishEthereumLaunches(): Promise<EthereumFeedReading | null> {
    if (this.database === NO_INDEX) return null;
    const { lastSequence: from } = await this.feed.state();
    const reading = await this.index.read(from, READING_ROWS);
    const judged = reading.rows.map(judgeRow);
    if (judged.length > 0) failpoint('gateway.feed-read');
    const isComplete = reading.rows.length < READING_ROWS;
    const written = await this.feed.record(from, reading, judged, isComplete);
    if (judged.length > 0) failpoint('gateway.feed-commit');
    if (written === null) return { published: 0, held: 0, more: true };
    for (const one of judged)
      if ('held' in one)
        this.logger.warn(
          { transactionHash: one.row.transactionHash, logIndex: one.row.logIndex, reason: one.held },
          'a launch of Ethereum is held back from its feed',
        );
    return { ...written, more: !isComplete };
  }
}

/** Adapts the service to Temporal's activities. */
export const ethereumFeedWork = (service: PublishEthereumService): EthereumFeedActivities => ({
  publishEthereumLaunches: () => service.publishEthereumLaunches(),
});
