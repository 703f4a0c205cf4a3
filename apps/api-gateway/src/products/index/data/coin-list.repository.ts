import { Inject, Injectable } from '@nestjs/common';
import { publishedLaunchSchema, type ExploreSort, type PublishedLaunch } from '@launch/contracts/index';
import type { Address } from '@launch/contracts/primitives';
import { z } from 'zod';
import { BoundedReads } from './bounded-reads.js';
import { INDEX_DATABASE, type IndexDatabase } from './index-database.js';

/** The filter of a list: at most one of text, token and creator. */
export interface CoinFilter {
  /** Selects source kinds; Foundation graphs of a router are modules. */
  readonly mode: 'all' | 'module' | 'custom';
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

/** The length of a list, at most: a deeper page would cost as much as all pages before it. */
export const LISTED_MAX = 10_000;
/** The number of coins, first in the list's order, that are scanned for a text that the trigram index cannot find. */
export const SCANNED_MAX = 20_000;

/** The same expression as in the partial indexes, so that PostgreSQL can match them. */
const IS_CUSTOM = `(source_kind IN ('custom-router-v1', 'custom-multi-role-v2', 'ethereum-custom-v1') AND launch_kind IS DISTINCT FROM 2)`;
const MODES: Readonly<Record<CoinFilter['mode'], string>> = {
  all: 'true',
  custom: IS_CUSTOM,
  module: `NOT ${IS_CUSTOM}`,
};
/** The position on the chain orders equal times. */
const PLACE = 'chain_id, block_number, log_index';
const ORDERS: Readonly<Record<ExploreSort, string>> = {
  newest: 'launched_at DESC, chain_id, block_number DESC, log_index DESC',
  oldest: `launched_at, ${PLACE}`,
  name: `lower(name) NULLS LAST, ${PLACE}`,
};
/** The ways to find the coins of a list. */
const FINDERS = {
  all: { values: 0, from: (mode: string) => `published.launch WHERE ${mode}` },
  token: {
    values: 1,
    from: (mode: string) => `published.launch WHERE chain_id IN (1, 4663) AND token_address = $1 AND ${mode}`,
  },
  creator: { values: 1, from: (mode: string) => `published.launch WHERE creator = $1 AND ${mode}` },
  /** By the trigram index, with a bounded number of arbitrary matches: sorting all matches has no bound. */
  trigrams: {
    values: 1,
    from: (mode: string) =>
      `(SELECT * FROM published.launch WHERE (name ILIKE $1 OR symbol ILIKE $1) AND ${mode} LIMIT ${LISTED_MAX}) AS matching`,
  },
  /** Among the first coins of the order. */
  scan: {
    values: 1,
    from: (mode: string, order: string) =>
      `(SELECT * FROM published.launch WHERE ${mode} ORDER BY ${order} LIMIT ${SCANNED_MAX}) AS first WHERE name ILIKE $1 OR symbol ILIKE $1`,
  },
} as const;
type Finder = keyof typeof FINDERS;

interface ListStatements {
  readonly count: string;
  readonly page: string;
}

/** Returns two statements for each list: for one statement of all lists, PostgreSQL would cache a plan that reads every launch. */
function statementsOf(finder: Finder, mode: CoinFilter['mode'], sort: ExploreSort): ListStatements {
  const { from, values } = FINDERS[finder];
  const source = from(MODES[mode], ORDERS[sort]);
  return {
    count: `SELECT count(*)::int AS total FROM (SELECT FROM ${source} LIMIT ${LISTED_MAX}) AS counted`,
    // Rows are wide, so rows that the offset skips are read in the index alone.
    page: `SELECT sequence, finality_stage, transaction_index, record, metadata FROM
      (SELECT chain_id, token_address FROM ${source} ORDER BY ${ORDERS[sort]} LIMIT $${values + 1} OFFSET $${values + 2}) AS page
      CROSS JOIN LATERAL (SELECT * FROM published.launch l WHERE l.chain_id = page.chain_id AND l.token_address = page.token_address LIMIT 1) AS whole
      ORDER BY ${ORDERS[sort].replace('chain_id', 'whole.chain_id')}`,
  };
}

const countSchema = z.tuple([z.object({ total: z.number().int() })]);
const launches = z.array(publishedLaunchSchema);

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
  private readonly statements = new Map<string, ListStatements>();

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
    const [[{ total }], rows] = await Promise.all([
      this.database.query(count, values).then((counted) => countSchema.parse(counted)),
      wanted === 0 ? [] : this.database.query(page, [...values, wanted, offset]),
    ]);
    return { total, rows: launches.parse(rows) };
  }

  /** Caches one text for each list: the database identifies a statement by its text. */
  private statementsFor(finder: Finder, mode: CoinFilter['mode'], sort: ExploreSort): ListStatements {
    const name = `${finder} ${mode} ${sort}`;
    let known = this.statements.get(name);
    if (known === undefined) this.statements.set(name, (known = statementsOf(finder, mode, sort)));
    return known;
  }
}
