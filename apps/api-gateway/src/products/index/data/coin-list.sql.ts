import { publishedLaunchSchema, type ExploreSort } from '@launch/contracts/index';
import { statement } from '@launch/platform';
import { z } from 'zod';

/** The length of a list, at most: a deeper page would cost as much as all pages before it. */
export const LISTED_MAX = 10_000;
/** The number of coins, first in the list's order, that are scanned for a text that the trigram index cannot find. */
export const SCANNED_MAX = 20_000;

/** Selects source kinds; Foundation graphs of a router are modules. */
export type ListMode = 'all' | 'module' | 'custom';

/** The same expression as in the partial indexes, so that PostgreSQL can match them. */
const IS_CUSTOM = `(source_kind IN ('custom-router-v1', 'custom-multi-role-v2', 'ethereum-custom-v1') AND launch_kind IS DISTINCT FROM 2)`;
const MODES: Readonly<Record<ListMode, string>> = {
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
export type Finder = keyof typeof FINDERS;

/** Returns two statements for each list: for one statement of all lists, PostgreSQL would cache a plan that reads every launch. */
export function listStatements(finder: Finder, mode: ListMode, sort: ExploreSort) {
  const { from, values } = FINDERS[finder];
  const source = from(MODES[mode], ORDERS[sort]);
  const list = `${finder}-${mode}-${sort}`;
  return {
    count: statement({
      name: `coin-list.count-${list}`,
      row: z.strictObject({ total: z.int() }),
      text: `SELECT count(*)::int AS total FROM (SELECT FROM ${source} LIMIT ${LISTED_MAX}) AS counted`,
    }),
    // Rows are wide, so rows that the offset skips are read in the index alone.
    page: statement({
      name: `coin-list.page-${list}`,
      row: publishedLaunchSchema,
      text: `SELECT sequence, finality_stage, transaction_index, record, metadata FROM
      (SELECT chain_id, token_address FROM ${source} ORDER BY ${ORDERS[sort]} LIMIT $${values + 1} OFFSET $${values + 2}) AS page
      CROSS JOIN LATERAL (SELECT * FROM published.launch l WHERE l.chain_id = page.chain_id AND l.token_address = page.token_address LIMIT 1) AS whole
      ORDER BY ${ORDERS[sort].replace('chain_id', 'whole.chain_id')}`,
    }),
  };
}
