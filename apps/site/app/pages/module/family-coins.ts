import { exploreChain, type ApiClient } from '@launch/sdk/operations';
import { readPublic, type Read } from '../../site/gateway.js';
import type { CoinPage, ListedCoin } from '../../site/listed-coin.js';

const FAMILY = /^0x[0-9a-f]{64}$/;
const PAGE_SIZE = 50;
/** Pages of the service's list that one page of this site searches. */
const PAGES_AT_ONCE = 4;
/** The service's list ends here (docs/reference/index-reads.md#lists-of-the-site). */
const LIST_END = 10_000;

/** Reads the id of a module family; null if the text is none. */
export const familyIdOf = (text: string | undefined): string | null => {
  const lower = text?.toLowerCase() ?? '';
  return FAMILY.test(lower) ? lower : null;
};

/** Coins built from modules in one part of the service's list, and how much of the list that part is. */
export interface FamilyCoins {
  readonly status: CoinPage['status'];
  readonly updatedAt: CoinPage['updatedAt'];
  readonly coins: readonly ListedCoin[];
  /** Positions in the list of module coins, newest first, that this page searched; `from` is 1 for the newest. */
  readonly searched: { readonly from: number; readonly to: number; readonly of: number };
  /** Number of this site's pages that search the whole list. */
  readonly totalPages: number;
}

/** Searches one part of the list for a family. The service has no list by family, so the site compares each coin. */
export const searchFamily = async (api: ApiClient, familyId: string, part: number): Promise<Read<FamilyCoins>> =>
  familyIn(await readPart(api, part), familyId, part);

/** Reads the newest part of the list, for the families that its coins use. */
export const readNewest = async (api: ApiClient): Promise<Read<FamilyCoins>> => coinsIn(await readPart(api, 1), 1);

async function readPart(api: ApiClient, part: number): Promise<readonly Read<CoinPage>[]> {
  const first = (part - 1) * PAGES_AT_ONCE + 1;
  const numbers = Array.from({ length: PAGES_AT_ONCE }, (_, index) => first + index);
  return Promise.all(
    numbers.map((page) =>
      readPublic(api, exploreChain, { query: { mode: 'module', sort: 'newest', pageSize: PAGE_SIZE, page } }),
    ),
  );
}

/** Returns the coins of a family in pages of the list. */
export function familyIn(reads: readonly Read<CoinPage>[], familyId: string, part: number): Read<FamilyCoins> {
  const read = coinsIn(reads, part);
  if (read.is !== 'value') return read;
  const coins = read.value.coins.filter(({ moduleFamilyIds }) => moduleFamilyIds.includes(familyId));
  return { is: 'value', value: { ...read.value, coins } };
}

/** A family with the coins of one part of the list that use it, newest first. */
export interface ListedFamily {
  readonly familyId: string;
  readonly coins: readonly ListedCoin[];
}

/** Returns the families of coins, the one with most coins first. */
export function familiesOf(coins: readonly ListedCoin[]): readonly ListedFamily[] {
  const ids = new Set(coins.flatMap(({ moduleFamilyIds }) => moduleFamilyIds));
  return [...ids]
    .map((familyId) => ({ familyId, coins: coins.filter(({ moduleFamilyIds }) => moduleFamilyIds.includes(familyId)) }))
    .toSorted((one, other) => other.coins.length - one.coins.length);
}

/** Joins pages of the list. One page that was not read makes the whole answer unread. */
function coinsIn(reads: readonly Read<CoinPage>[], part: number): Read<FamilyCoins> {
  const pages: CoinPage[] = [];
  for (const read of reads) {
    if (read.is !== 'value') return read;
    pages.push(read.value);
  }
  const items = pages.flatMap((page) => page.items);
  const listed = Math.min(LIST_END, Math.max(0, ...pages.map(({ page }) => page.totalItems)));
  const from = (part - 1) * PAGES_AT_ONCE * PAGE_SIZE + 1;
  return {
    is: 'value',
    value: {
      status: worst(pages),
      updatedAt: oldest(pages),
      coins: items,
      searched: { from, to: from + items.length - 1, of: listed },
      totalPages: Math.ceil(listed / (PAGES_AT_ONCE * PAGE_SIZE)),
    },
  };
}

const ORDER = ['ok', 'stale', 'indeterminate'] as const;
const worst = (pages: readonly CoinPage[]): CoinPage['status'] =>
  ORDER.findLast((status) => pages.some((page) => page.status === status)) ?? 'indeterminate';

const oldest = (pages: readonly CoinPage[]): string | null => {
  const times = pages.map(({ updatedAt }) => updatedAt);
  return times.includes(null) ? null : (times.toSorted()[0] ?? null);
};
