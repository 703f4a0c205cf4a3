import type { ExploreMode, ExploreSort } from '@launch/contracts/index';
import type { CoinPage } from '../../site/listed-coin.js';
import { LAST_PAGE, pageNumber } from '../../site/page-number.js';

export const MODE_NAMES: Readonly<Record<ExploreMode, string>> = {
  all: 'All coins',
  module: 'Built from modules',
  custom: 'Custom contracts',
};
export const SORT_NAMES: Readonly<Record<ExploreSort, string>> = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  name: 'Name',
};

/** The sizes of a page. Values of the contract's schemas would bring all of them into the browser; its types do not. */
export const PAGE_SIZES = [10, 50] as const satisfies readonly CoinPage['page']['pageSize'][];
type PageSize = (typeof PAGE_SIZES)[number];
const MODES = Object.keys(MODE_NAMES) as ExploreMode[];
const SORTS = Object.keys(SORT_NAMES) as ExploreSort[];

/** The bounds of the service (docs/reference/index-reads.md#lists-of-the-site). */
export const LONGEST_QUERY = 64;

export interface ExploreQuery {
  readonly q: string;
  readonly mode: ExploreMode;
  readonly sort: ExploreSort;
  readonly pageSize: PageSize;
  readonly page: number;
}
export type ExploreField = keyof ExploreQuery;
export type ExploreFaults = Readonly<Partial<Record<ExploreField, string>>>;

const DEFAULTS: ExploreQuery = { q: '', mode: 'all', sort: 'newest', pageSize: 10, page: 1 };

/** The query in the address of the page, or its faults. `given` are the texts of the address. */
export interface Asked {
  readonly given: Readonly<Record<ExploreField, string>>;
  readonly query: ExploreQuery | null;
  readonly faults: ExploreFaults;
}

/** Reads the address of the page. It refuses what the service would refuse, so that the form can name the field. */
export function readExploreQuery(parameters: URLSearchParams): Asked {
  const search = (parameters.get('q') ?? DEFAULTS.q).trim();
  const given = {
    // A page cannot contain U+0000, so the form shows it as an unreadable character.
    q: search.replaceAll('\u0000', '\ufffd'),
    mode: parameters.get('mode') ?? DEFAULTS.mode,
    sort: parameters.get('sort') ?? DEFAULTS.sort,
    pageSize: parameters.get('pageSize') ?? String(DEFAULTS.pageSize),
    page: parameters.get('page') ?? String(DEFAULTS.page),
  };
  const mode = MODES.find((one) => one === given.mode);
  const sort = SORTS.find((one) => one === given.sort);
  const pageSize = PAGE_SIZES.find((one) => String(one) === given.pageSize);
  const page = pageNumber(given.page);
  const isSearchable = [...search].length <= LONGEST_QUERY && !search.includes('\u0000');
  const faults: ExploreFaults = {
    ...(!isSearchable && { q: `Search with at most ${LONGEST_QUERY} characters, without control characters.` }),
    ...(mode === undefined && { mode: 'Choose one of the kinds in the list.' }),
    ...(sort === undefined && { sort: 'Choose one of the orders in the list.' }),
    ...(pageSize === undefined && { pageSize: 'Choose 10 or 50 coins on a page.' }),
    ...(page === null && { page: `A page has a number from 1 to ${LAST_PAGE}.` }),
  };
  if (!isSearchable || mode === undefined || sort === undefined || pageSize === undefined || page === null)
    return { given, query: null, faults };
  return { given, query: { q: search, mode, sort, pageSize, page }, faults };
}

/** Returns the address of the page for a query, without the members that have their default. */
export function exploreAddress(query: ExploreQuery, changes: Partial<ExploreQuery> = {}): string {
  const wanted = { ...query, ...changes };
  const fields = Object.keys(DEFAULTS) as ExploreField[];
  const parameters = new URLSearchParams(
    fields.filter((field) => wanted[field] !== DEFAULTS[field]).map((field) => [field, String(wanted[field])]),
  );
  return parameters.size === 0 ? '/' : `/?${parameters.toString()}`;
}
