import { Inject, Injectable } from '@nestjs/common';
import {
  assessCoin,
  CUSTOM_GRAPH_KIND,
  type CoinFacts,
  type CoinLabel,
  type Known,
  type PublishedLaunch,
} from '@launch/contracts/index';
import { FeedRepository } from '../../../core/feeds/feed.repository.js';
import { IndexRowsRepository } from '../data/index-rows.repository.js';

/** The columns of the index by which a coin is judged. */
export type AssessedRow = Pick<PublishedLaunch, 'record' | 'finality_stage'>;

export const isFinal = ({ finality_stage: stage }: AssessedRow): boolean => stage === 'ethereum_finalized';
/** Returns whether a row has a stamp: the index sets its router once both observers confirmed the router's stamp. */
export const hasStamp = ({ record }: AssessedRow): boolean => record.routerAddress !== null;

/** Returns the facts without those that depend on a held row alone: nothing is concluded from a held block. */
export const withoutHeld = (facts: CoinFacts, isHeld: boolean): CoinFacts =>
  isHeld ? { ...facts, stamped: null, finalized: null } : facts;

/** Returns whether the feed of launches of chain 4663 can have a record of a row. */
const isCandidate = (row: AssessedRow): boolean =>
  row.record.chainId === 4663 &&
  row.record.sourceKind === 'custom-router-v1' &&
  row.record.launchKind === CUSTOM_GRAPH_KIND &&
  isFinal(row);

/** Facts that the label does not depend on; lists show only the label. */
const UNASKED = { publicWrites: null, publicAuthorization: null, releaseReady: null, readinessMatches: null };

/** Determines the label of a coin from the facts of the feed of chain 4663 (docs/reference/index-reads.md#label). */
@Injectable()
export class CoinLabelService {
  constructor(
    @Inject(FeedRepository) private readonly feed: Pick<FeedRepository, 'customLaunchCounters' | 'published'>,
    @Inject(IndexRowsRepository) private readonly rows: Pick<IndexRowsRepository, 'areHeld'>,
  ) {}

  /** Returns the version of the inputs of labels besides the index; the text differs after every change. */
  async version(): Promise<string> {
    const { source, published, quarantined } = await this.feed.customLaunchCounters();
    return `${source}/${published}/${quarantined}`;
  }

  /** Returns whether the feed is complete, so that every page of it is `ready`. */
  async isFeedReady(): Promise<boolean> {
    const { source, published, quarantined } = await this.feed.customLaunchCounters();
    return quarantined === 0 && source === published;
  }

  /** Returns, for each row in order, whether it has a record in the feed; a published record is an exact match. */
  async exactSources(rows: readonly AssessedRow[]): Promise<readonly boolean[]> {
    const ids = rows.filter(isCandidate).flatMap(({ record: { launchId } }) => launchId ?? []);
    const found = ids.length === 0 ? new Set<string>() : await this.feed.published('custom-launch.v4', ids);
    return rows.map((row) => isCandidate(row) && row.record.launchId !== null && found.has(row.record.launchId));
  }

  /** Returns the label of each row, in order. */
  async labelsOf(rows: readonly AssessedRow[]): Promise<readonly CoinLabel[]> {
    const [exact, held] = await Promise.all([
      this.exactSources(rows),
      this.rows.areHeld(rows.map(({ record }) => record)),
    ]);
    const feedReady: Known = exact.includes(true) ? await this.isFeedReady() : null;
    return rows.map((row, index) => {
      const stamped: Known = hasStamp(row) ? true : null;
      const exactSource = exact[index] ?? false;
      const facts = { stamped, feedReady, finalized: isFinal(row), exactSource, writes: UNASKED };
      return assessCoin(withoutHeld(facts, held[index] ?? false)).label;
    });
  }
}
