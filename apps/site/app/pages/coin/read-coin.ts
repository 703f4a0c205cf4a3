import { canonicalSha256, LIMITS } from '@launch/contracts/primitives';
import {
  exploreChain,
  getChainPresentation,
  getChainProfile,
  getFinalized,
  getFinalizedV3,
  getIndexedLaunch,
  getIndexVerification,
  listChainTrades,
  listFinalizedCustomLaunches,
  listFinalizedEthereumLaunches,
  type ApiClient,
} from '@launch/sdk/operations';
import type { ShownChain } from '../../site/chains.js';
import { readPublic, type Read } from '../../site/gateway.js';
import {
  FOUNDATION_GRAPH,
  identityOf,
  type CoinFacts,
  type CoinTrade,
  type ExploreRow,
  type FeedRecord,
  type LaunchRecord,
} from './coin-facts.js';

/** The newest trades of a coin. */
export interface CoinTrades {
  readonly items: readonly CoinTrade[];
  readonly hasMore: boolean;
  readonly updatedAt: string | null;
}

/** The facts that the page read about a coin, and the parts that it could not read. */
export type CoinRead =
  | {
      readonly is: 'coin';
      readonly facts: CoinFacts;
      readonly listStatus: 'ok' | 'stale' | 'indeterminate' | 'unread';
      readonly updatedAt: string | null;
      /** Other coins of the same launch wallet, newest first. */
      readonly others: Read<readonly ExploreRow[]>;
      readonly trades: Read<CoinTrades>;
      /** Parts that exist and that the page could not read, in words. */
      readonly unread: readonly string[];
    }
  | { readonly is: 'no coin'; readonly read: Exclude<Read<unknown>, { is: 'value' }> };

/** Trades that the page reads, and its chart shows. */
const TRADES = 100;
const ABSENT = {
  is: 'absent',
  message: 'The index of this chain is current and has no launch with this token address.',
} as const;

/** Reads everything that the page shows about a coin. @param token with its EIP-55 checksum */
export async function readCoin(api: ApiClient, chainId: ShownChain, token: string): Promise<CoinRead> {
  const chain = String(chainId);
  const [indexed, presentation, list] = await Promise.all([
    readPublic(api, getIndexedLaunch, { path: { chainId: chain, tokenAddress: token } }),
    readPublic(api, getChainPresentation, { query: { token, chainId } }),
    readPublic(api, exploreChain, { query: { q: token, pageSize: 10 } }),
  ]);
  const isThis = (row: ExploreRow): boolean => row.chainId === chainId && row.tokenAddress === token;
  const row = (list.is === 'value' && list.value.items.find(isThis)) || null;
  const identity = identityOf({ row, indexed: indexed.is === 'value' ? indexed.value : null });
  if (identity === null) {
    if (indexed.is === 'unavailable') return { is: 'no coin', read: indexed };
    return { is: 'no coin', read: list.is === 'unavailable' ? list : ABSENT };
  }
  const launch = indexed.is === 'value' ? indexed.value.launch : null;
  const [verification, record, profile, trades] = await Promise.all([
    launch === null ? null : verificationOf(api, launch.verificationDigest),
    launch === null ? null : feedRecordOf(api, launch),
    readPublic(api, getChainProfile, { query: { account: identity.creator } }),
    readPublic(api, listChainTrades, { query: { token, chainId, limit: TRADES } }),
  ]);
  const unread = [
    ...(presentation.is === 'value' ? [] : ['its metadata and market']),
    ...(launch !== null && verification === null ? ['the verification document'] : []),
    ...(record === 'unread' ? ['its record in the finalized feed'] : []),
    ...(indexed.is === 'unavailable' && row?.finalityStage === 'ethereum_finalized' ? ['its finalized record'] : []),
  ];
  return {
    is: 'coin',
    facts: {
      chainId,
      token,
      row,
      indexed: indexed.is === 'value' ? indexed.value : null,
      presentation: presentation.is === 'value' ? presentation.value : null,
      verification,
      record: record === 'unread' ? null : record,
    },
    listStatus: list.is === 'value' ? list.value.status : 'unread',
    updatedAt: list.is === 'value' ? list.value.updatedAt : null,
    others:
      profile.is === 'value' ? { is: 'value', value: profile.value.items.filter((one) => !isThis(one)) } : profile,
    trades:
      trades.is === 'value'
        ? {
            is: 'value',
            value: {
              items: trades.value.items,
              hasMore: trades.value.nextCursor !== null,
              updatedAt: trades.value.updatedAt,
            },
          }
        : trades,
    unread,
  };
}

/** Reads a verification document. Null if it is unread, or if its bytes are not the ones that the record names. */
async function verificationOf(api: ApiClient, digest: string): Promise<CoinFacts['verification']> {
  const read = await readPublic(api, getIndexVerification, {
    path: { verificationSha256: digest.slice('sha256:'.length) },
  });
  return read.is === 'value' && canonicalSha256(read.value) === digest ? read.value : null;
}

/** Reads the record of a launch in the finalized feed of its kind; null if there is none. */
async function feedRecordOf(api: ApiClient, launch: LaunchRecord): Promise<FeedRecord | null | 'unread'> {
  const { sourceKind, launchId, launchKind } = launch;
  if (launchId === null) return null;
  if (sourceKind === 'custom-multi-role-v2') return multiRoleRecord(api, launchId);
  if (sourceKind === 'custom-router-v1') return customLaunchRecord(api, launchId);
  return sourceKind === 'ethereum-custom-v1' && launchKind !== FOUNDATION_GRAPH ? ethereumRecord(api, launchId) : null;
}

const MULTI_ROLE = '/v4/chains/4663/multi-role-custom-launches';

async function multiRoleRecord(api: ApiClient, launchId: string): Promise<FeedRecord | null | 'unread'> {
  const input = { path: { onchainLaunchId: launchId } };
  const [v3, v2] = await Promise.all([readPublic(api, getFinalizedV3, input), readPublic(api, getFinalized, input)]);
  if (v3.is === 'value')
    return { feed: 'multi-role', record: v3.value, path: `${MULTI_ROLE}/finalized-v3/${launchId}` };
  if (v2.is === 'value') return { feed: 'multi-role', record: v2.value, path: `${MULTI_ROLE}/finalized/${launchId}` };
  return v3.is === 'absent' && v2.is === 'absent' ? null : 'unread';
}

/** A feed has no lookup by launch. The page reads this many of its pages at most. */
const PAGES = 8;
const PAGE = LIMITS.listMax;

interface FeedPage<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}
type PageQuery = { readonly limit: number; readonly cursor?: string };

/** Returns the wanted item of a feed and the query of its page; null if the feed does not have it, `unread` if that is unknown. */
async function findInFeed<Item>(
  readPage: (query: PageQuery) => Promise<Read<FeedPage<Item>>>,
  isWanted: (item: Item) => boolean,
): Promise<{ readonly item: Item; readonly query: string } | null | 'unread'> {
  let query: PageQuery = { limit: PAGE };
  for (let page = 0; page < PAGES; page += 1) {
    const read = await readPage(query);
    if (read.is !== 'value') return 'unread';
    const item = read.value.items.find(isWanted);
    if (item !== undefined) {
      const cursor = query.cursor === undefined ? '' : `&cursor=${encodeURIComponent(query.cursor)}`;
      return { item, query: `limit=${PAGE}${cursor}` };
    }
    if (read.value.nextCursor === null) return null;
    query = { limit: PAGE, cursor: read.value.nextCursor };
  }
  return 'unread';
}

async function customLaunchRecord(api: ApiClient, launchId: string): Promise<FeedRecord | null | 'unread'> {
  const found = await findInFeed(
    (query) => readPublic(api, listFinalizedCustomLaunches, { query }),
    ({ onchain }) => onchain.routerLaunchId === launchId,
  );
  if (found === null || found === 'unread') return found;
  const path = `/v4/chains/4663/finalized-custom-launches?${found.query}`;
  return { feed: 'custom-launch', record: found.item, path };
}

async function ethereumRecord(api: ApiClient, launchId: string): Promise<FeedRecord | null | 'unread'> {
  const found = await findInFeed(
    (query) => readPublic(api, listFinalizedEthereumLaunches, { query }),
    ({ onchain }) => onchain.routerLaunchId === launchId,
  );
  if (found === null || found === 'unread') return found;
  return { feed: 'ethereum', record: found.item, path: `/v3/finalized-custom-launches?${found.query}` };
}
