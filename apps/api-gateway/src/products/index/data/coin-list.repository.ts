import { Inject, Injectable } from '@nestjs/common';
import type { ExploreSort, PublishedLaunch } from '@launch/contracts/index';
import type { Address } from '@launch/contracts/primitives';
import { BoundedReads } from './bounded-reads.js';
import { LISTED_MAX, listStatements, type Finder, type ListMode } from './coin-list.sql.js';
import { INDEX_DATABASE, type IndexDatabase } from './index-database.js';

/** The filter of a list: at most one of text, token and creator. */
export interface CoinFilter {
  readonly mode: ListMode;
  /** Part of a name or symbol, in any case; null for all. */
  readonly text: string | null;
  readonly token: Address | null;
  readonly creator: Address | null;
}

export interface CoinPage {
  /** The number of coins in the list, at most {@link LISTED_MAX}. */
  readonly total: number;
  readonly rows: readonly PublishedLaunch[];
}

/** Escapes a text as a pattern that matches it literally. */
const likePattern = (text: string): string => `%${text.replaceAll(/[\\%_]/g, (special) => `\\${special}`)}%`;
/**
 * Characters that form a trigram under any locale of the database. A text without a trigram would make the index return
 * every coin.
 */
const HAS_TRIGRAM = /[0-9A-Za-z]{3}/;

function finderOf({ text, token, creator }: CoinFilter): {
  readonly finder: Finder;
  readonly values: readonly string[];
} {
  if (token !== null) return { finder: 'token', values: [token] };
  if (creator !== null) return { finder: 'creator', values: [creator] };
  if (text === null) return { finder: 'all', values: [] };
  return { finder: HAS_TRIGRAM.test(text) ? 'trigrams' : 'scan', values: [likePattern(text)] };
}

/** Each page runs two queries on the index's pool, which other reads share. */
const PAGES_AT_ONCE = 3;
const PAGES_IN_LINE = 64;

/** Reads pages of the site's lists, including the provisional layer, each at a bounded cost. */
@Injectable()
export class CoinListRepository {
  private readonly reads = new BoundedReads(PAGES_AT_ONCE, PAGES_IN_LINE);
  private readonly statements = new Map<string, ReturnType<typeof listStatements>>();

  constructor(@Inject(INDEX_DATABASE) private readonly database: IndexDatabase) {}

  /**
   * Reads a page. A page that begins at or past {@link LISTED_MAX} is empty.
   * @throws ApiError `SERVICE_UNAVAILABLE` while too many pages are requested at once.
   */
  page(filter: CoinFilter, sort: ExploreSort, limit: number, offset: number): Promise<CoinPage> {
    return this.reads.run(() => this.read(filter, sort, limit, offset));
  }

  private async read(filter: CoinFilter, sort: ExploreSort, limit: number, offset: number): Promise<CoinPage> {
    const { finder, values } = finderOf(filter);
    const { count, page } = this.statementsFor(finder, filter.mode, sort);
    const wanted = Math.min(limit, Math.max(0, LISTED_MAX - offset));
    const [[counted], rows] = await Promise.all([
      this.database.query(count, values),
      wanted === 0 ? [] : this.database.query(page, [...values, wanted, offset]),
    ]);
    if (counted === undefined) throw new TypeError('an aggregate has a row');
    return { total: counted.total, rows };
  }

  /** Caches the statements of each list. */
  private statementsFor(finder: Finder, mode: ListMode, sort: ExploreSort) {
    const name = `${finder} ${mode} ${sort}`;
    let known = this.statements.get(name);
    if (known === undefined) this.statements.set(name, (known = listStatements(finder, mode, sort)));
    return known;
  }
}
