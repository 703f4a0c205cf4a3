import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  chainPresentationSchema,
  INDEXED_LAUNCHES_PATH,
  indexedLaunchesSchema,
  indexedLaunchSchema,
  MODULE_INDEXER_PATH,
  moduleIndexerSchema,
  PRESENTATION_PATH,
  type LaunchRecord,
} from '@launch/contracts/index';
import type { Hex } from '@launch/contracts/primitives';
import {
  openObservers,
  readCoin,
  readFoundationLaunchIndex,
  readNativeLaunches,
  readRouterLaunches,
  readSources,
  readTokenMetadata,
  ReaderError,
  ServiceRead,
  type CoinReading,
} from '@launch/index-reader';
import { awaitIndexed } from '@launch/start';
import { createPublicClient, http, parseAbiItem } from 'viem';
import { askAt, PATIENCE_MS } from './fixtures/spec-client.fixture.js';
import { sharedSourceLaunches } from './stacks/of-the-run.js';
import type { StackAccess } from './stacks/own-stack.js';
import { useStack } from './stacks/use-stack.js';

/** A source by chain, version and factory version. */
const SOURCES = [
  [4663, 'module-native-v1', null],
  [4663, 'module-native-v2', null],
  [4663, 'module-engine-v1', null],
  [4663, 'module-foundation-v1', 'V1'],
  [4663, 'module-foundation-v1', 'V2'],
  [4663, 'module-foundation-v1', 'V3'],
  [1, 'ethereum-custom-v1', null],
  [4663, 'custom-router-v1', null],
  [4663, 'custom-multi-role-v2', null],
] as const;
type Source = (typeof SOURCES)[number];

let access: StackAccess;
let endpoints: Readonly<Record<1 | 4663, ReturnType<typeof openObservers>>>;
const mirrors: Server[] = [];
const coins = new Map<string, Hex>();

/** The token of the first launch of each source that has one. */
async function findCoins(): Promise<void> {
  for (const [chainId, sourceKind, factoryVersion] of SOURCES) {
    const target = `${INDEXED_LAUNCHES_PATH}?chainId=${chainId}&sourceKind=${sourceKind}&limit=100`;
    const { items } = indexedLaunchesSchema.parse(await (await fetch(access.gateway + target)).json());
    // Prefers a launch with modules, whose order is compared with the chain too.
    const own = items.filter((record) => record.factoryVersion === factoryVersion);
    const record = own.find(({ modulePackageIds }) => modulePackageIds.length > 1) ?? own[0];
    if (record !== undefined) coins.set(`${sourceKind} ${factoryVersion}`, record.tokenAddress.toLowerCase() as Hex);
  }
}
const isComplete = (): boolean => coins.size === SOURCES.length;

beforeAll(async () => {
  access = await useStack('launches');
  const { stack } = access;
  endpoints = { 1: openObservers(1, stack.rpc['1']), 4663: openObservers(4663, stack.rpc['4663']) };
  await awaitIndexed({ stack, timeoutMs: PATIENCE_MS }, await sharedSourceLaunches());
  for (const until = Date.now() + PATIENCE_MS; !isComplete() && Date.now() < until; await sleep(500)) await findCoins();
}, 2 * PATIENCE_MS);
afterAll(() => Promise.all(mirrors.map((server) => new Promise((resolve) => server.close(resolve)))));

/** Serves the service at another origin, with a changed answer to one target. */
async function lying(change: (target: string, body: any) => void): Promise<string> {
  const server = createServer((request, response) => {
    void (async () => {
      const answer = await fetch(access.gateway + request.url!);
      const text = await answer.text();
      let body = text;
      if (text.startsWith('{')) {
        const json = JSON.parse(text) as object;
        change(request.url!, json);
        body = JSON.stringify(json);
      }
      response.writeHead(answer.status, { 'content-type': 'application/json; charset=utf-8', connection: 'close' });
      response.end(body);
    })();
  });
  mirrors.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const coinOf = (sourceVersion: Source[1], factoryVersion: Source[2] = null): Hex =>
  coins.get(`${sourceVersion} ${factoryVersion}`)!;
const read = (chainId: 1 | 4663, token: Hex, origin = access.gateway): Promise<CoinReading> =>
  readCoin({ origin, endpoints, chainId, token });

/**
 * Repeats a reading until both answers are decided. A slow endpoint leaves a question open and answers none wrongly.
 */
async function readToTheEnd(chainId: 1 | 4663, token: Hex): Promise<CoinReading> {
  for (const until = Date.now() + PATIENCE_MS - 10_000; ; await sleep(500)) {
    const reading = await read(chainId, token);
    const { provenance, finality } = reading.assessment.axes;
    if (![provenance, finality].includes('INDETERMINATE') || Date.now() >= until) return reading;
  }
}

describe('a coin read by two endpoints of its chain', () => {
  it.each(SOURCES)(
    'is verified and final on chain %s, by %s %s',
    async (chainId, sourceVersion, factoryVersion) => {
      const reading = await readToTheEnd(chainId, coinOf(sourceVersion, factoryVersion));
      expect(reading).toMatchObject({
        record: { chainId, sourceKind: sourceVersion, factoryVersion },
        verification: { kind: 'verified' },
        finality: { kind: 'final' },
      });
      const isRouted = sourceVersion.includes('custom');
      const isOurs = sourceVersion === 'custom-router-v1';
      expect(reading.assessment).toMatchObject({
        axes: {
          // Every router of the chain was read, including the retired ones.
          provenance: isRouted ? 'STAMPED' : 'NOT_STAMPED',
          finality: 'FINALIZED',
          // The feed of Ethereum grows while other suites launch there.
          feedAvailability: chainId === 4663 ? 'AVAILABLE' : expect.stringMatching(/AVAILABLE$/),
          sourceVerification: isOurs ? 'EXACT_MATCH' : 'UNVERIFIED',
          security: 'UNVERIFIED',
        },
        label: isOurs ? 'Service Custom' : null,
      });
    },
    PATIENCE_MS,
  );
});

describe('the texts of a token', () => {
  it.each(SOURCES)(
    'equal, on chain %s, those that the service shows for a coin of %s %s',
    async (chainId, sourceVersion, factoryVersion) => {
      const token = coinOf(sourceVersion, factoryVersion);
      const shown = async (target: string): Promise<unknown> => (await fetch(access.gateway + target)).json();
      const { launch } = indexedLaunchSchema.parse(await shown(`${INDEXED_LAUNCHES_PATH}/${chainId}/${token}`));
      const { name, symbol, decimals } = launch;
      const presented = await shown(`${PRESENTATION_PATH}?token=${token}&chainId=${chainId}`);
      const { metadataStatus: status, description } = chainPresentationSchema.parse(presented);
      expect(await readTokenMetadata(endpoints[chainId], token, { hash: launch.blockHash })).toMatchObject({
        kind: 'read',
        identity: { name, symbol, decimals },
        metadata: { status, description },
      });
    },
    PATIENCE_MS,
  );

  it('stay undecided when one endpoint has another chain', async () => {
    const token = coinOf('module-native-v1');
    const { record } = await read(4663, token);
    const pair = [endpoints[4663][0], endpoints[1][0]] as const;
    expect(await readTokenMetadata(pair, token, { hash: record!.blockHash })).toMatchObject({ kind: 'indeterminate' });
  });
});

describe('the first router of Ethereum, which has ended', () => {
  /** Reads the developer feed for a coin, once the index has read every final block. */
  const statusOf = async (token: Hex): Promise<number> => {
    for (const until = Date.now() + PATIENCE_MS; ; await sleep(500)) {
      const { status } = await askAt(access.gateway, 'GET', `/api/v2/launches/1/${token}`);
      if (status !== 503 || Date.now() > until) return status;
    }
  };

  it(
    'keeps the coin of its last block, verified and final, and has no coin of a later one',
    async () => {
      const { json } = await askAt(access.gateway, 'GET', MODULE_INDEXER_PATH);
      const { deployments } = moduleIndexerSchema.parse(json);
      const [ended, ...others] = deployments.filter(({ chainId, endBlock }) => chainId === 1 && endBlock !== null);
      expect(others).toEqual([]);
      expect(ended).toMatchObject({ sourceVersion: 'ethereum-custom-v1', status: 'retained' });
      const chain = createPublicClient({ transport: http(access.stack.rpc['1'][0]!) });
      const stamped = await chain.getLogs({
        address: ended!.address,
        event: parseAbiItem(
          'event ServiceLaunchStampedV1(bytes32 indexed launchId, address indexed token, address indexed hook, address poolManager, bytes32 poolId, bytes32 stampHash)',
        ),
        fromBlock: BigInt(ended!.startBlock),
        strict: true,
      });
      const [before, after] = stamped.map(({ args, blockNumber }) => ({ token: args.token, blockNumber }));
      expect(stamped).toHaveLength(2);
      expect(before!.blockNumber).toBe(BigInt(ended!.endBlock!));
      expect(after!.blockNumber).toBeGreaterThan(before!.blockNumber);

      const made = (await sharedSourceLaunches()).map(({ token }) => token);
      expect(made).toContain(before!.token.toLowerCase());
      const reading = await readToTheEnd(1, before!.token.toLowerCase() as Hex);
      expect(reading).toMatchObject({
        record: { sourceKind: 'ethereum-custom-v1' },
        verification: { kind: 'verified' },
        finality: { kind: 'final' },
        assessment: { axes: { provenance: 'STAMPED', finality: 'FINALIZED' } },
      });
      expect(reading.record!.routerAddress!.toLowerCase()).toBe(ended!.address.toLowerCase());
      expect(BigInt(reading.record!.blockNumber)).toBe(before!.blockNumber);
      expect(await statusOf(before!.token)).toBe(200);
      expect(await statusOf(after!.token)).toBe(404);
    },
    PATIENCE_MS,
  );
});

describe('a service that lies about a coin', () => {
  const lies: readonly [string, (launch: any) => void, object][] = [
    [
      'its creator',
      (launch) => (launch.creator = launch.tokenAddress),
      { reason: 'RECORD_DIFFERS', detail: 'creator' },
    ],
    [
      'its modules',
      (launch) => launch.modulePackageIds.reverse(),
      { reason: 'RECORD_DIFFERS', detail: 'modulePackageIds' },
    ],
    [
      'its evidence',
      (launch) => (launch.verificationDigest = `sha256:${'0'.repeat(64)}`),
      { reason: 'RECORD_DIFFERS', detail: 'verificationDigest' },
    ],
    ['its place', (launch) => (launch.logIndex += 1), { reason: 'EVENT_ABSENT' }],
    ['its token', (launch) => (launch.tokenAddress = launch.hookAddress), { reason: 'RECORD_INVALID' }],
    ['its form', (launch) => (launch.blockNumber = 7), { reason: 'RECORD_INVALID' }],
  ];
  it.each(lies)(
    'is refused when it serves %s',
    async (_what, lie, refused) => {
      const token = coinOf('module-native-v1');
      const origin = await lying((target, body) => {
        if (target.includes(token)) lie(body.launch);
      });
      const { verification, assessment } = await read(4663, token, origin);
      expect(verification).toMatchObject({ kind: 'refused', ...refused });
      expect(assessment.axes.finality).toBe('INDETERMINATE');
    },
    PATIENCE_MS,
  );

  it('is refused when its discovery document does not match its digest', async () => {
    const origin = await lying((target, body) => {
      if (target.startsWith('/api/module-mode/indexer')) body.deployments[0].address = body.deployments[1].address;
    });
    await expect(read(4663, coinOf('module-native-v1'), origin)).rejects.toMatchObject({
      code: 'RELEASE_MISMATCH',
    });
  });

  it('makes its feed unavailable by a quarantined record, while the coin keeps the facts of the chain', async () => {
    const origin = await lying((target, body) => {
      if (!target.includes('finalized-custom-launches')) return;
      for (const counters of [body, body.dataset])
        Object.assign(counters, { quarantinedRowCount: 1, sourceRowCount: counters.sourceRowCount + 1 });
    });
    const { verification, assessment } = await read(4663, coinOf('module-native-v1'), origin);
    expect(verification.kind).toBe('verified');
    expect(assessment.axes.feedAvailability).toBe('UNAVAILABLE');
  });
});

describe('the launches of a window', () => {
  const windowOf = async (sourceVersion: string, factoryVersion: string | null = null) => {
    const { sources } = await readSources(new ServiceRead(access.gateway, PATIENCE_MS));
    const source = sources.find(
      (one) => one.source.sourceVersion === sourceVersion && one.source.factoryVersion === factoryVersion,
    )!;
    const from = BigInt(source.source.startBlock);
    return { source, from, to: from + 4_999n };
  };
  const toHead = async (to: bigint): Promise<bigint> => {
    const head = BigInt((await endpoints[4663][0].request('eth_blockNumber', [])) as string);
    return head < to ? head : to;
  };

  it(
    'are the same page by page as in one reading, without repetition',
    async () => {
      for (const [sourceVersion, factoryVersion, reader] of [
        ['module-foundation-v1', 'V2', readFoundationLaunchIndex],
        ['module-native-v1', null, readNativeLaunches],
        ['custom-router-v1', null, readRouterLaunches],
      ] as const) {
        const { source, from, to } = await windowOf(sourceVersion, factoryVersion);
        const window = { from, to: await toHead(to) };
        const whole = await reader(endpoints[4663], source, window);
        if (whole.kind !== 'page') throw new Error(whole.reason);
        expect(whole.entries.length).toBeGreaterThan(0);
        const refused = whole.entries.flatMap(({ verdict }) => (verdict.kind === 'refused' ? [verdict.reason] : []));
        // One module destroyed itself in the transaction of its launch.
        expect(refused).toEqual(sourceVersion === 'module-native-v1' ? ['INSTANCE_COMMITMENT_MISMATCH'] : []);
        expect(whole.entries.filter(({ verdict }) => verdict.kind === 'verified').length).toBe(
          whole.entries.length - refused.length,
        );
        const paged: LaunchRecord['transactionHash'][] = [];
        for (let cursor: string | null = null; ;) {
          const page = await reader(endpoints[4663], source, { ...window, pageSize: 2, cursor });
          if (page.kind !== 'page') throw new Error(page.reason);
          paged.push(...page.entries.map(({ transactionHash }) => transactionHash));
          cursor = page.nextCursor;
          if (cursor === null) break;
        }
        expect(paged).toEqual(whole.entries.map(({ transactionHash }) => transactionHash));
      }
    },
    PATIENCE_MS,
  );

  it('are refused, and never shortened, when the window exceeds its bounds', async () => {
    const { source, from, to } = await windowOf('module-foundation-v1', 'V1');
    const codeOf = async (change: object, reader = readFoundationLaunchIndex): Promise<string> => {
      try {
        await reader(endpoints[4663], source, { from, to, ...change });
      } catch (error) {
        if (error instanceof ReaderError) return error.code;
      }
      return 'no ReaderError';
    };
    expect(await codeOf({ to: to + 1n })).toBe('WINDOW_OUT_OF_BOUNDS');
    expect(await codeOf({ to: from - 1n })).toBe('WINDOW_OUT_OF_BOUNDS');
    for (const pageSize of [0, 101, 1.5]) expect(await codeOf({ pageSize })).toBe('PAGE_OUT_OF_BOUNDS');
    for (const cursor of ['', '1', `${to + 1n}:0`, 'x:y']) expect(await codeOf({ cursor })).toBe('CURSOR_INVALID');
    expect(await codeOf({}, readNativeLaunches)).toBe('SOURCE_OF_ANOTHER_KIND');
  });

  it('are undecided when the endpoints have another chain, or differ', async () => {
    const { source, from, to } = await windowOf('module-foundation-v1', 'V1');
    const window = { from, to: await toHead(to) };
    const elsewhere = openObservers(4663, access.stack.rpc['1']);
    expect(await readFoundationLaunchIndex(elsewhere, source, window)).toMatchObject({ kind: 'indeterminate' });
    const mixed = [endpoints[4663][0], elsewhere[1]] as const;
    expect(await readFoundationLaunchIndex(mixed, source, window)).toMatchObject({ kind: 'indeterminate' });
    expect(() => openObservers(4663, [access.stack.rpc['4663'][0]!, access.stack.rpc['4663'][0]!])).toThrow(
      expect.objectContaining({ code: 'ENDPOINTS_UNUSABLE' }),
    );
  });
});
