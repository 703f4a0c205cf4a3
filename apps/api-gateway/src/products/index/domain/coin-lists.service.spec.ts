import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  chainExploreSchema,
  chainPresentationSchema,
  chainProfileSchema,
  CUSTOM_LABEL,
  type CoinAssessment,
  type CoinLabel,
  type ExploreSort,
  type Market,
  type PublishedLaunch,
} from '@launch/contracts/index';
import { checksummed } from '@launch/contracts/primitives';
import { memoryIndex, type MemoryIndex } from '../../../fixtures/memory-index.js';
import { account, NO_METADATA, sourceDocument } from '../../../fixtures/published-rows.js';
import { refusalOfWork } from '../../../fixtures/refused.js';
import type { CoinFilter } from '../data/coin-list.repository.js';
import { CoinListsService } from './coin-lists.service.js';
import { exploreQuery, profileQuery } from './coin-queries.js';

const NATIVE = sourceDocument({ sourceVersion: 'module-native-v1', address: account(0xf01) });
const ETHEREUM = sourceDocument({ sourceVersion: 'ethereum-custom-v1', chainId: 1, address: account(0xf02) });
const UNSTAMPED = { launchKind: null, routerAddress: null, stampHash: null };
const ASSESSMENT: CoinAssessment = {
  axes: {
    provenance: 'STAMPED',
    feedAvailability: 'AVAILABLE',
    finality: 'FINALIZED',
    sourceVerification: 'EXACT_MATCH',
    writeActivation: 'ACTIVE',
    feeBehaviour: 'UNVERIFIED',
    security: 'UNVERIFIED',
    marketSupport: 'UNVERIFIED',
    thirdPartyIndexing: 'UNVERIFIED',
  },
  label: CUSTOM_LABEL,
};
const MARKET: Market = {
  priceNative: null,
  volume24hNative: '2.04',
  swaps24h: 2,
  lastSwap: null,
  isComplete: true,
  asOf: '2026-11-20T10:00:00.000Z',
};

let index: MemoryIndex;
/** The rows of every page, the number of all, and what a page was asked for. */
let found: readonly PublishedLaunch[];
let total: number;
let asked: readonly [CoinFilter, ExploreSort, number, number][];
let labels: readonly CoinLabel[];
let labelVersion: string;
let lists: CoinListsService;
beforeEach(() => {
  index = memoryIndex();
  for (const source of [NATIVE, ETHEREUM]) index.source(source);
  [found, total, asked, labels, labelVersion] = [[], 0, [], [], '0'];
  lists = new CoinListsService(
    index.rows,
    {
      page: async (...question) => {
        asked = [...asked, question];
        return { rows: found, total };
      },
    },
    index.state,
    { version: async () => labelVersion, labelsOf: async () => labels },
    { assess: async () => ASSESSMENT },
    { of: async (rows) => rows.map(() => MARKET) },
  );
});
const jsonOf = (bytes: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(bytes));
const explored = async (query: object = {}) =>
  chainExploreSchema.parse(jsonOf(await lists.explore(exploreQuery.parse(query))));

describe('The listing of the site', () => {
  it('shows for each coin its own row, label and market', async () => {
    const [native, graph] = [
      index.launch(NATIVE, 1, { ...UNSTAMPED, name: null }, { stage: 'ethereum_posted' }),
      index.launch(ETHEREUM, 2, { launchKind: 2 }, { metadata: { ...NO_METADATA, imageUrl: 'https://a.example/i' } }),
    ];
    found = [graph, native, index.launch(ETHEREUM, 3)];
    labels = [null, null, CUSTOM_LABEL];
    const { items, status } = await explored();
    expect(status).toBe('ok');
    // A graph that a router stamped is a module coin.
    expect(items.map(({ mode, label }) => [mode, label])).toEqual([
      ['module', null],
      ['module', null],
      ['custom', CUSTOM_LABEL],
    ]);
    expect(items[0]).toMatchObject({
      imageUrl: 'https://a.example/i',
      market: MARKET,
      finalityStage: 'ethereum_finalized',
    });
    expect(items[1]).toMatchObject({
      tokenAddress: checksummed(native.record.tokenAddress),
      creator: checksummed(native.record.creator),
      name: null,
      finalityStage: 'ethereum_posted',
    });
  });

  it('counts its pages, and has no more past the last', async () => {
    total = 101;
    expect((await explored({ page: '2' })).page).toEqual({
      number: 2,
      pageSize: 50,
      totalItems: 101,
      totalPages: 3,
      hasMore: true,
    });
    expect((await explored({ page: '3' })).page.hasMore).toBe(false);
    expect((await explored({ page: '6' })).page.hasMore).toBe(false);
    expect(asked.map(([, , limit, offset]) => [limit, offset])).toEqual([
      [50, 50],
      [50, 100],
      [50, 250],
    ]);
  });

  it('searches a whole address as a token, and everything else as a part of a name', async () => {
    const token = account(0xabc);
    for (const q of [token, checksummed(token), 'moon', token.slice(0, -1)])
      await explored({ q, mode: 'module', sort: 'name' });
    const filter = { mode: 'module', text: null, token: null, creator: null };
    expect(asked.map(([one]) => one)).toEqual([
      { ...filter, token },
      { ...filter, token },
      { ...filter, text: 'moon' },
      { ...filter, text: token.slice(0, -1) },
    ]);
    expect(new Set(asked.map(([, sort]) => sort))).toEqual(new Set(['name']));
  });

  it('has a page of a launch wallet', async () => {
    const wallet = account(0xe);
    const profile = chainProfileSchema.parse(
      jsonOf(await lists.profile(profileQuery.parse({ account: wallet, page: '2' }))),
    );
    expect([profile.account, profile.page.pageSize]).toEqual([checksummed(wallet), 50]);
    expect(asked).toEqual([[{ mode: 'all', text: null, token: null, creator: wallet }, 'newest', 50, 50]]);
  });

  it('is read again only once a source, the feed of records or the freshness changes', async () => {
    await explored();
    await explored();
    expect(asked).toHaveLength(1);
    labelVersion = '1';
    await explored();
    expect(asked).toHaveLength(2);
    index.source(NATIVE, { checkpointAge: 300 });
    expect((await explored()).status).toBe('stale');
    index.source(NATIVE, { state: 'stopped' });
    expect((await explored()).status).toBe('indeterminate');
  });
});

describe('The presentation of a coin', () => {
  const presented = async (token = account(5), chainId?: 1 | 4663) =>
    chainPresentationSchema.parse(await lists.presentation({ token, ...(chainId === undefined ? {} : { chainId }) }));

  it('shows its own metadata, market and assessment', async () => {
    const metadata = {
      ...NO_METADATA,
      status: 'ok',
      description: 'x'.repeat(16_384),
      website: 'https://a.example/%3Cb%3E',
      github: 'https://github.com/a',
    } as const;
    index.launch(NATIVE, 5, UNSTAMPED, { metadata });
    const shown = await presented();
    expect([shown.description?.length, shown.links, shown.market, shown.metadataStatus]).toEqual([
      16_384,
      [
        { label: 'website', url: 'https://a.example/%3Cb%3E' },
        { label: 'github', url: 'https://github.com/a' },
      ],
      MARKET,
      'ok',
    ]);
    expect(shown).toMatchObject(ASSESSMENT);
  });

  it('is for one address on two chains that of the launch chain, unless the query names the other', async () => {
    index.launch(ETHEREUM, 5);
    expect((await presented()).chainId).toBe(1);
    index.launch(NATIVE, 5, UNSTAMPED);
    expect((await presented()).chainId).toBe(4663);
    expect((await presented(account(5), 1)).chainId).toBe(1);
  });

  it('is absent only while every source of the asked chains is current', async () => {
    const codeOf = async (chainId?: 1 | 4663) => (await refusalOfWork(() => presented(account(9), chainId))).code;
    expect(await codeOf()).toBe('NOT_FOUND');
    index.source(ETHEREUM, { checkpointAge: 300 });
    expect(await codeOf()).toBe('INDEX_NOT_CURRENT');
    expect(await codeOf(4663)).toBe('NOT_FOUND');
  });
});
