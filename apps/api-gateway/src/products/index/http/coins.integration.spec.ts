import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  ABI_PATH,
  abiUrlOf,
  chainExploreSchema,
  chainPresentationSchema,
  chainTradesSchema,
  chainProfileSchema,
  EXPLORE_PATH,
  INDEXED_LAUNCHES_PATH,
  indexedLaunchesSchema,
  indexedLaunchSchema,
  MODULE_INDEXER_PATH,
  MODULE_MODE_PATH,
  moduleIndexerSchema,
  moduleModeSchema,
  PRESENTATION_PATH,
  TRADES_PATH,
  PROFILE_PATH,
  ROUTER_IDENTITIES_PATH,
  routerIdentitiesSchema,
  type IndexedLaunches,
  type LaunchRecord,
} from '@launch/contracts/index';
import { checksummed, sha256Digest } from '@launch/contracts/primitives';
import { createPool } from '@launch/platform';
import type { z } from 'zod';
import { startHarness, type Harness } from '../../../fixtures/gateway.harness.js';
import { call, codeOf, type Answer } from '../../../fixtures/http.client.js';
import { createIndexDatabase } from '../data/index-database.js';
import { publishedIndex, type PublishedIndex } from '../../../fixtures/published-index.fixture.js';
import { account, NO_METADATA, sourceDocument } from '../../../fixtures/published-rows.js';
import { GRAPH_ABIS, SOURCE_ABIS } from '../domain/source-documents.js';

const NATIVE = sourceDocument({ sourceVersion: 'module-native-v1', address: account(0xf01) });
const ROUTER = sourceDocument();
const ETHEREUM = sourceDocument({ sourceVersion: 'ethereum-custom-v1', chainId: 1, address: account(0xf02) });

let index: PublishedIndex;
let gateway: Harness;
/** A deployment that reads no index. */
let without: Harness;
const get = (path: string, headers: Readonly<Record<string, string>> = {}, server = gateway): Promise<Answer> =>
  call(server.url + path, { headers });
async function read<T>(path: string, schema: z.ZodType<T>): Promise<T> {
  const answer = await get(path);
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
  return schema.parse(answer.json);
}
const tokensOf = (list: { readonly items: readonly { readonly tokenAddress: string }[] }): string[] =>
  list.items.map(({ tokenAddress }) => tokenAddress.toLowerCase());

/** Script, and marks that turn text around. Text above its limit is null in every record: the kernel leaves it out. */
const EVIL = { name: `<script>alert(1)</script>\u202e\u2066`, symbol: '"\\\u0007' };
let evil: LaunchRecord;
let provisional: LaunchRecord;

beforeAll(async () => {
  index = await publishedIndex();
  for (const source of [NATIVE, ROUTER, ETHEREUM]) await index.source(source);
  const native = { launchKind: null, routerAddress: null, stampHash: null, modulePackageIds: [], moduleFamilyIds: [] };
  await index.launches(ROUTER, 1, 230);
  evil = await index.launch(
    NATIVE,
    1_001,
    { ...native, ...EVIL, creator: account(0xe) },
    {
      metadata: { ...NO_METADATA, status: 'ok', description: 'x'.repeat(16_384), website: 'https://a.example/<b>' },
    },
  );
  await index.launch(NATIVE, 1_002, { ...native, name: null, symbol: null, creator: account(0xe) });
  provisional = await index.launch(NATIVE, 1_003, native, { stage: 'sequencer_soft_confirmed' });
  await index.launch(ETHEREUM, 1_004, { tokenAddress: evil.tokenAddress, launchKind: 2, creator: account(0xd) });
  gateway = await startHarness({ indexDatabase: index.database });
  without = await startHarness({ beside: gateway });
});
afterAll(async () => {
  await without?.close();
  await gateway?.close();
  await index?.close();
});

describe('Normalized records', () => {
  it('are read page by page in the order of admission, each once, and only finalized ones', async () => {
    const seen: string[] = [];
    let pages = 0;
    for (let cursor: string | null = ''; cursor !== null; pages += 1) {
      const page: IndexedLaunches = await read(
        `${INDEXED_LAUNCHES_PATH}?limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`,
        indexedLaunchesSchema,
      );
      seen.push(...tokensOf(page).map((token, at) => `${page.items[at]!.chainId}/${token}`));
      cursor = page.nextCursor;
      expect(page.status).toBe('ok');
    }
    expect([pages, seen.length, new Set(seen).size]).toEqual([3, 233, 233]);
    expect(seen.slice(0, 2)).toEqual([`4663/${account(1)}`, `4663/${account(2)}`]);
    expect(seen).not.toContain(`4663/${provisional.tokenAddress}`);
  });

  it('are filtered by chain and by source', async () => {
    const first = await read(
      `${INDEXED_LAUNCHES_PATH}?chainId=4663&sourceKind=custom-router-v1`,
      indexedLaunchesSchema,
    );
    expect(first.items).toHaveLength(25);
    expect(tokensOf(await read(`${INDEXED_LAUNCHES_PATH}?chainId=1`, indexedLaunchesSchema))).toEqual([
      evil.tokenAddress,
    ]);
  });

  it('are found by coin, with the correct checksum or none', async () => {
    const path = (token: string) => `${INDEXED_LAUNCHES_PATH}/4663/${token}`;
    const { launch } = await read(path(checksummed(evil.tokenAddress)), indexedLaunchSchema);
    expect(launch).toMatchObject({ ...EVIL, tokenAddress: checksummed(evil.tokenAddress), launchId: evil.launchId });
    expect((await get(path(checksummed(evil.tokenAddress).toUpperCase().replace('0X', '0x')))).status).toBe(404);
    expect((await get(path(account(0x9999)))).status).toBe(404);
    const early = await get(path(provisional.tokenAddress));
    expect([early.status, codeOf(early)]).toEqual([503, 'INDEX_NOT_CURRENT']);
  });
});

describe('The listing of the site', () => {
  it('includes the provisional layer, newest first, by mode', async () => {
    const all = await read(EXPLORE_PATH, chainExploreSchema);
    expect(all.page).toEqual({ number: 1, pageSize: 50, totalItems: 234, totalPages: 5, hasMore: true });
    const modules = await read(`${EXPLORE_PATH}?mode=module&pageSize=10`, chainExploreSchema);
    expect(tokensOf(modules).slice(0, 3)).toEqual([evil.tokenAddress, provisional.tokenAddress, account(1_002)]);
    expect(modules.items.map(({ finalityStage }) => finalityStage)).toContain('sequencer_soft_confirmed');
    expect((await read(`${EXPLORE_PATH}?mode=custom`, chainExploreSchema)).page.totalItems).toBe(230);
    const last = await read(`${EXPLORE_PATH}?page=6`, chainExploreSchema);
    expect([last.items, last.page.hasMore]).toEqual([[], false]);
  });

  it('is searched by any part of a name, or by a whole address', async () => {
    const found = async (q: string) =>
      tokensOf(await read(`${EXPLORE_PATH}?q=${encodeURIComponent(q)}`, chainExploreSchema));
    expect(await found('<SCRIPT>')).toEqual([evil.tokenAddress]);
    expect(await found('coin 230')).toEqual([account(230)]);
    expect(await found('%')).toEqual([]);
    expect(await found('_')).toEqual([]);
    expect(await found(account(7))).toEqual([account(7)]);
    expect(await found("' OR 1=1 --")).toEqual([]);
  });

  it('is sorted by the requested order', async () => {
    const first = async (sort: string) =>
      tokensOf(await read(`${EXPLORE_PATH}?mode=custom&sort=${sort}`, chainExploreSchema))[0];
    expect(await first('oldest')).toBe(account(1));
    expect(await first('newest')).toBe(account(230));
  });

  it('has a page of a launch wallet, empty for one without coins', async () => {
    const profile = await read(`${PROFILE_PATH}?account=${account(0xe)}`, chainProfileSchema);
    expect(new Set(tokensOf(profile))).toEqual(new Set([evil.tokenAddress, account(1_002)]));
    expect((await read(`${PROFILE_PATH}?account=${account(0x9999)}`, chainProfileSchema)).page.totalItems).toBe(0);
  });

  it('shows a coin without the members of its row that cannot be shown', async () => {
    const metadata = {
      ...NO_METADATA,
      status: 'ok',
      description: 'half \ud800',
      website: 'https://x.com:key@a.example',
      imageUrl: 'data:image/png;base64,AA',
      x: 'https://x.com/a\ud800',
      github: 'https://github.com/a',
    } as const;
    const { tokenAddress } = await index.launch(ROUTER, 1_090, {}, { metadata });
    const shown = await read(`${PRESENTATION_PATH}?token=${tokenAddress}`, chainPresentationSchema);
    expect([shown.description, shown.imageUrl, shown.links]).toEqual([
      null,
      null,
      [
        { label: 'website', url: 'https://a.example/' },
        { label: 'github', url: 'https://github.com/a' },
      ],
    ]);
    const listed = await read(`${EXPLORE_PATH}?q=${tokenAddress}`, chainExploreSchema);
    expect(listed.items.map(({ imageUrl }) => imageUrl)).toEqual([null]);
    const whole = await read(`${PRESENTATION_PATH}?token=${evil.tokenAddress}`, chainPresentationSchema);
    expect([whole.chainId, whole.description?.length, whole.links]).toEqual([
      4663,
      16_384,
      [{ label: 'website', url: 'https://a.example/%3Cb%3E' }],
    ]);
  });
});

describe('The contract of indexers', () => {
  it('serves the exact bytes of each ABI, and the release of module mode', async () => {
    const contract = await read(MODULE_INDEXER_PATH, moduleIndexerSchema);
    for (const { abiUrl, abiSha256 } of contract.sources)
      expect(sha256Digest(Buffer.from((await get(abiUrl)).text))).toBe(abiSha256);
    expect(contract.sources).toHaveLength(SOURCE_ABIS.length);
    for (const { sha256 } of Object.values(GRAPH_ABIS))
      expect(sha256Digest(Buffer.from((await get(abiUrlOf(sha256))).text))).toBe(sha256);
    const { release } = await read(MODULE_MODE_PATH, moduleModeSchema);
    expect(release.contracts['launcher']).toBe(checksummed(NATIVE.address));
    expect((await get(`${ABI_PATH}/${'0'.repeat(64)}.json`)).status).toBe(404);
  });
});

describe('A coin of a source that is disabled', () => {
  it('is in the records, the listing and the presentation like any other', async () => {
    const disabled = sourceDocument({ sourceVersion: 'module-native-v2', address: account(0xf0a) });
    await index.source(disabled, { status: 'disabled' });
    const native = { launchKind: null, routerAddress: null, stampHash: null };
    const metadata = { ...NO_METADATA, status: 'ok', description: 'taken back' } as const;
    const { tokenAddress } = await index.launch(disabled, 1_005, native, { metadata });

    const { launch } = await read(`${INDEXED_LAUNCHES_PATH}/4663/${tokenAddress}`, indexedLaunchSchema);
    expect(launch.tokenAddress).toBe(checksummed(tokenAddress));
    const records = await read(`${INDEXED_LAUNCHES_PATH}?sourceKind=module-native-v2`, indexedLaunchesSchema);
    expect([records.status, tokensOf(records)]).toEqual(['ok', [tokenAddress]]);
    const listed = await read(`${EXPLORE_PATH}?q=${tokenAddress}`, chainExploreSchema);
    expect([listed.status, tokensOf(listed)]).toEqual(['ok', [tokenAddress]]);
    const shown = await read(`${PRESENTATION_PATH}?token=${tokenAddress}`, chainPresentationSchema);
    expect([shown.description, shown.metadataStatus]).toEqual(['taken back', 'ok']);
  });
});

describe('The identity snapshot', () => {
  const snapshot = () => read(ROUTER_IDENTITIES_PATH, routerIdentitiesSchema);

  it('has every Custom coin of Ethereum up to the checkpoint that all routers have reached, and equal bytes', async () => {
    const retired = sourceDocument({ ...ETHEREUM, address: account(0xf03), endBlock: '50470000' });
    await index.source(retired, { state: 'ended', checkpoint: '50470000' });
    const custom = { chainId: 1, launchKind: 1 } as const;
    const late = await index.launch(ETHEREUM, 1_020, { ...custom, blockNumber: '50480001' });
    const second = await index.launch(ETHEREUM, 1_010, custom);
    const first = await index.launch(retired, 1_009, custom);
    await index.launch(ETHEREUM, 1_011, custom, { stage: 'sequencer_soft_confirmed' });
    const before = await snapshot();
    expect([tokensOf({ items: before.identities }), before.count]).toEqual([
      [first.tokenAddress, second.tokenAddress],
      2,
    ]);
    expect([before.checkpoint.number, before.routers.length]).toEqual(['50480000', 2]);

    // Rewritten without a change: another version of the rows, and the same bytes.
    const { text } = await get(ROUTER_IDENTITIES_PATH);
    await index.source(ETHEREUM);
    const again = await get(ROUTER_IDENTITIES_PATH);
    expect([again.text, again.headers.get('etag')]).toEqual([text, `"${sha256Digest(Buffer.from(text))}"`]);

    await index.source(ETHEREUM, { checkpoint: '50480001' });
    expect(tokensOf({ items: (await snapshot()).identities })).toEqual([
      first.tokenAddress,
      second.tokenAddress,
      late.tokenAddress,
    ]);
  });
});

describe('Index reads', () => {
  it.each([
    `${EXPLORE_PATH}?page=0`,
    `${PROFILE_PATH}?account=0x1`,
    `${PRESENTATION_PATH}?token=${account(1)}&chainId=5`,
    `${INDEXED_LAUNCHES_PATH}?offset=1`,
  ])('refuse %s', async (path) => {
    const answer = await get(path);
    expect([answer.status, codeOf(answer)]).toEqual([400, 'QUERY_INVALID']);
  });

  it('are not sent twice to a client that has them, until something changes', async () => {
    const path = `${EXPLORE_PATH}?mode=module`;
    const etag = (await get(path)).headers.get('etag')!;
    expect((await get(path, { 'if-none-match': etag })).status).toBe(304);
    await index.launch(NATIVE, 2_001, { launchKind: null, routerAddress: null, stampHash: null });
    expect((await get(path, { 'if-none-match': etag })).status).toBe(200);
  });

  it.each([
    EXPLORE_PATH,
    INDEXED_LAUNCHES_PATH,
    MODULE_MODE_PATH,
    ROUTER_IDENTITIES_PATH,
    `${PROFILE_PATH}?account=${account(1)}`,
  ])('are refused with 503 where a deployment has no index: %s', async (path) => {
    const answer = await get(path, {}, without);
    expect([answer.status, codeOf(answer)]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  });

  it('are refused with 503, never empty, while the index is unreachable', async () => {
    // No server listens there.
    const connectionString = 'postgresql://launch_indexer_reader@127.0.0.1:1/launch_indexer';
    const pool = createPool({ connectionString, applicationName: 'coins-tests', max: 1 });
    const cutOff = await startHarness({ beside: gateway, indexDatabase: createIndexDatabase(pool) });
    try {
      for (const path of [EXPLORE_PATH, `${INDEXED_LAUNCHES_PATH}?limit=3`, MODULE_INDEXER_PATH]) {
        const answer = await get(path, {}, cutOff);
        expect([answer.status, codeOf(answer)]).toEqual([503, 'SERVICE_UNAVAILABLE']);
      }
    } finally {
      await cutOff.close();
      await pool.end();
    }
  });
});

describe('The trading of a coin', () => {
  const TRADED = sourceDocument({ sourceVersion: 'custom-multi-role-v2', address: account(0x7700) });
  const marketOf = async (token: string) =>
    (await read(`${PRESENTATION_PATH}?token=${token}`, chainPresentationSchema)).market;

  it('has its last trade with the caller, an exact price, and the volume of a day', async () => {
    await index.source(TRADED, { checkpoint: '50470000' });
    const [coin, quiet] = [
      await index.launch(TRADED, 0x7001, { decimals: 18 }),
      await index.launch(TRADED, 0x7002, { decimals: null }),
    ];
    await index.swap(coin, { block: 50_469_900, logIndex: 9, hoursAgo: 30, caller: account(0xca11) });
    await index.swap(coin, {
      block: 50_470_001,
      logIndex: 3,
      hoursAgo: 2,
      caller: account(0xca12),
      gross: '1040000000000000000',
    });
    await index.swap(coin, { block: 50_470_001, logIndex: 12, hoursAgo: 2, caller: account(0xca13) });
    await index.swap(quiet, { block: 50_469_901, logIndex: 1, hoursAgo: 30, caller: account(0xca14) });
    const market = await marketOf(coin.tokenAddress);
    expect(market).toMatchObject({
      priceNative: '1',
      // Includes the fees that the hook reports.
      volume24hNative: '2.04',
      swaps24h: 2,
      lastSwap: { router: checksummed(account(0xca13)), logIndex: 12, isFinal: false, tick: -12, liquidity: '7' },
    });
    expect(await marketOf(quiet.tokenAddress)).toMatchObject({
      priceNative: null,
      volume24hNative: '0',
      lastSwap: { isFinal: true, router: checksummed(account(0xca14)) },
    });
    const { items } = await read(`${EXPLORE_PATH}?mode=custom&q=${coin.tokenAddress}`, chainExploreSchema);
    expect(items.map((item) => item.market?.volume24hNative)).toEqual(['2.04']);
  });

  it('lists its trades from the newest, page by page, and keeps a page when a trade follows', async () => {
    const coin = await index.launch(TRADED, 0x7011, { decimals: 18 });
    await index.swap(coin, { block: 50_469_920, logIndex: 9, hoursAgo: 30, caller: account(0xca21) });
    await index.swap(coin, { block: 50_470_020, logIndex: 3, hoursAgo: 2, caller: account(0xca22) });
    await index.swap(coin, { block: 50_470_020, logIndex: 12, hoursAgo: 2, caller: account(0xca23) });
    const path = `${TRADES_PATH}?chainId=4663&token=${coin.tokenAddress}&limit=2`;
    const first = await read(path, chainTradesSchema);
    expect(first.items.map(({ logIndex, isFinal }) => [logIndex, isFinal])).toEqual([
      [12, false],
      [3, false],
    ]);
    expect(first.items[0]).toMatchObject({
      router: checksummed(account(0xca23)),
      priceNative: '1',
      nativeWei: '1000000000000000000',
      fees: null,
    });
    await index.swap(coin, { block: 50_470_021, logIndex: 1, hoursAgo: 1, caller: account(0xca24) });
    const next = await read(`${path}&cursor=${first.nextCursor}`, chainTradesSchema);
    expect(next.items.map(({ logIndex, isFinal }) => [logIndex, isFinal])).toEqual([[9, true]]);
    expect(next.nextCursor).toBeNull();
  });

  it('lists no trades for a coin without any, and nothing for another coin or with its cursor', async () => {
    const quiet = await index.launch(TRADED, 0x7012);
    const path = `${TRADES_PATH}?chainId=4663&token=${quiet.tokenAddress}`;
    expect((await read(path, chainTradesSchema)).items).toEqual([]);
    const missing = await get(`${TRADES_PATH}?chainId=4663&token=${account(0x7999)}`);
    expect([404, 503]).toContain(missing.status);
    const foreign = await get(`${path}&cursor=abc`);
    expect([foreign.status, codeOf(foreign)]).toEqual([400, 'CURSOR_INVALID']);
  });

  it('is marked incomplete while trades of the last day could not be read', async () => {
    const coin = await index.launch(TRADED, 0x7004);
    const isComplete = async () => (await marketOf(coin.tokenAddress))?.isComplete;
    expect(await isComplete()).toBe(true);
    const release = await index.hold(TRADED, { block: '50469910', subject: 'trades', cause: 'index' });
    expect(await isComplete()).toBe(false);
    await index.write(`UPDATE holds SET block_time = now() - interval '25 hours'`);
    await index.source(TRADED, { checkpoint: '50470000' });
    expect(await isComplete()).toBe(true);
    await release();
  });
});
