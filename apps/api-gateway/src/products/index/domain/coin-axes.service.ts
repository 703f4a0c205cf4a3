import { Inject, Injectable } from '@nestjs/common';
import {
  assessCoin,
  type CoinAssessment,
  type Known,
  type PublishedSource,
  type SourceVersion,
  type WriteFacts,
} from '@launch/contracts/index';
import { EthereumFeedService } from './ethereum-feed.service.js';
import { LaunchGatesService } from '../../../core/gates/launch-gates.service.js';
import { CoinLabelService, hasStamp, isFinal, withoutHeld, type AssessedRow } from './coin-label.service.js';
import { isComplete } from '../data/index-freshness.js';
import { IndexRowsRepository } from '../data/index-rows.repository.js';
import { IndexStateService } from './index-state.service.js';

const STAMPING: readonly SourceVersion[] = ['custom-router-v1', 'custom-multi-role-v2', 'ethereum-custom-v1'];

/** Assesses the nine axes of a coin (docs/reference/index-reads.md#axes). */
@Injectable()
export class CoinAxesService {
  constructor(
    @Inject(IndexRowsRepository) private readonly rows: Pick<IndexRowsRepository, 'areHeld' | 'hasTakenIdentity'>,
    private readonly index: IndexStateService,
    private readonly labels: CoinLabelService,
    @Inject(EthereumFeedService) private readonly ethereum: Pick<EthereumFeedService, 'isReady'>,
    @Inject(LaunchGatesService) private readonly gates: Pick<LaunchGatesService, 'read'>,
  ) {}

  /** @param sources as read before the row: they do not prove the absence of rows that they do not cover. */
  async assess(row: AssessedRow, sources: readonly PublishedSource[]): Promise<CoinAssessment> {
    const [[isHeld = false], stamped, feedReady, [exactSource = false], writes] = await Promise.all([
      this.rows.areHeld([row.record]),
      this.stampOf(row, sources),
      row.record.chainId === 1 ? this.ethereum.isReady() : this.labels.isFeedReady(),
      this.labels.exactSources([row]),
      this.writes(),
    ]);
    return assessCoin(withoutHeld({ stamped, feedReady, finalized: isFinal(row), exactSource, writes }, isHeld));
  }

  /**
   * Returns whether the coin has a stamp. Its absence is known when every router of the chain was recently read past the
   * coin. A stamp of a coin with a row of another source is in quarantine, so a router with such a log leaves it unknown.
   */
  private async stampOf(row: AssessedRow, sources: readonly PublishedSource[]): Promise<Known> {
    if (hasStamp(row)) return true;
    const { chainId, blockNumber, tokenAddress } = row.record;
    const routers = sources.filter(
      ({ document }) => document.chainId === chainId && STAMPING.some((version) => version === document.sourceVersion),
    );
    const isPast = (source: PublishedSource): boolean =>
      isComplete(source) ||
      (source.checkpoint_number !== null && BigInt(source.checkpoint_number) >= BigInt(blockNumber));
    if (!isFinal(row) || this.index.freshness(routers).status !== 'ok' || !routers.every(isPast)) return null;
    const digests = routers.map((source) => source.release_digest);
    return (await this.rows.hasTakenIdentity(digests, tokenAddress)) ? null : false;
  }

  /** Reads discovery and readiness from one reading, so they can differ only by a fault. */
  private async writes(): Promise<WriteFacts> {
    const { gates, reasonCodes } = await this.gates.read();
    const areOpen = gates.publicWrites && gates.publicAuthorization && gates.releaseReady;
    return { ...gates, readinessMatches: areOpen === (reasonCodes.length === 0) };
  }
}
