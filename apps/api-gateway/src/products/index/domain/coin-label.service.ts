import { Injectable } from '@nestjs/common';
import {
  assessCoin,
  CUSTOM_GRAPH_KIND,
  type CoinFacts,
  type CoinLabel,
  type Known,
  type PublishedLaunch,
} from '@launch/contracts/index';
import { FeedRepository } from '../../../core/feeds/feed.repository.js';
import { SharedRead } from '../../../core/feeds/shared-read.js';
import { IndexRowsRepository } from '../data/index-rows.repository.js';

/** What a coin is judged by in the index. */
export type AssessedRow = Pick<PublishedLaunch, 'record' | 'finality_stage'>;

export const isFinal = ({ finality_stage: stage }: AssessedRow): boolean => stage === 'ethereum_finalized';
/** The index has a row with a router after that router's stamp held for both observers. */
export const hasStamp = ({ record }: AssessedRow): boolean => record.routerAddress !== null;

/** The facts without those that rest on the row alone, where a hold covers it: nothing is concluded from a held block. */
export const withoutHeld = (facts: CoinFacts, isHeld: boolean): CoinFacts =>
  isHeld ? { ...facts, stamped: null, finalized: null } : facts;

/** Whether the feed of launches of chain 4663 can have a record of a row. */
const isCandidate = (row: AssessedRow): boolean =>
  row.record.chainId === 4663 &&
  row.record.sourceKind === 'custom-router-v1' &&
  row.record.launchKind === CUSTOM_GRAPH_KIND &&
  isFinal(row);

/** Lists show the label alone, which does not hang on this. */
const UNASKED = { publicWrites: null, publicAuthorization: null, releaseReady: null, readinessMatches: null };

/** The label of a coin, and the facts of the feed of chain 4663 behind it (docs/reference/index-reads.md#label). */
@Injectable()
export class CoinLabelService {
  private readonly counters = new SharedRead(() => this.feed.customCounters());

  constructor(
    private readonly feed: FeedRepository,
    private readonly rows: IndexRowsRepository,
  ) {}

  /** What labels rest on besides the index; another text whenever it changed. */
  async version(): Promise<string> {
    const { source, published, quarantined } = await this.counters.ask();
    return `${source}/${published}/${quarantined}`;
  }

  /** Whether the feed is whole: every page of it then says `ready`. */
  async isFeedReady(): Promise<boolean> {
    const { source, published, quarantined } = await this.counters.ask();
    return quarantined === 0 && source === published;
  }

  /** Whether each row has a record in the feed, in their order: what is published there is an exact match. */
  async exactSources(rows: readonly AssessedRow[]): Promise<readonly boolean[]> {
    const ids = rows.filter(isCandidate).flatMap(({ record: { launchId } }) => launchId ?? []);
    const found = ids.length === 0 ? new Set<string>() : await this.feed.published('custom-launch.v4', ids);
    return rows.map((row) => isCandidate(row) && row.record.launchId !== null && found.has(row.record.launchId));
  }

  /** The label of each row, in their order. */
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
