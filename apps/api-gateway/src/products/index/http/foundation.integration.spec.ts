import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  MODULE_FOUNDATION_PATH,
  moduleFoundationSchema,
  type FoundationFactoryVersion,
  type IndexSource,
} from '@launch/contracts/index';
import { foundationAvailabilitySchema, foundationReleasesSchema } from '@launch/contracts/modules';
import { checksummed, type Hex } from '@launch/contracts/primitives';
import type { z } from 'zod';
import { startHarness, type Harness } from '../../../fixtures/gateway.harness.js';
import { call, codeOf, type Answer } from '../../../fixtures/http.client.js';
import {
  account,
  publishedIndex,
  sourceDocument,
  word,
  type PublishedIndex,
} from '../../../fixtures/published-index.fixture.js';

const RELEASES = '/v1/modules/foundation/releases';
const factory = (factoryVersion: FoundationFactoryVersion, seed: number): IndexSource =>
  sourceDocument({
    sourceVersion: 'module-foundation-v1',
    factoryVersion,
    address: account(seed),
    contracts: {
      poolManager: { address: account(0xb00), runtimeCodeHash: word(0xb001) },
      custody: { address: account(0xc00), runtimeCodeHash: word(0xc001) },
    },
  });
const [V1, V3] = [factory('V1', 0xf01), factory('V3', 0xf03)];
const ROUTER = sourceDocument({
  sourceVersion: 'ethereum-custom-v1',
  chainId: 1,
  address: account(0xf04),
  startBlock: '21000000',
});
const NATIVE = sourceDocument({ sourceVersion: 'module-native-v1', address: account(0xf05) });
const CHECKPOINT = 50_470_000n;
const UNROUTED = { launchId: null, launchKind: null, routerAddress: null, stampHash: null };

let index: PublishedIndex;
let gateway: Harness;
const get = (path: string): Promise<Answer> => call(gateway.url + path);
async function read<T>(path: string, schema: z.ZodType<T>): Promise<T> {
  const answer = await get(path);
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
  return schema.parse(answer.json);
}
const outcomeOf = async (path: string): Promise<[number, string]> => {
  const answer = await get(path);
  return [answer.status, answer.status === 200 ? 'ok' : codeOf(answer)];
};
const ofToken = (chainId: 1 | 4663, token: Hex): string =>
  `${MODULE_FOUNDATION_PATH}?chainId=${chainId}&token=${checksummed(token)}`;
/** Makes both observers show code from a block on. */
const codeFrom = (...blocks: readonly (bigint | null | undefined)[]): void => {
  gateway.chain.shown = blocks.map((block) => (_chain, _address, at) => {
    if (block === undefined || block === null) return block;
    return at === 'latest' || at >= block ? word(0xc0de) : null;
  });
};

beforeAll(async () => {
  index = await publishedIndex();
  gateway = await startHarness({ indexDatabase: index.database });
});
afterAll(async () => {
  await gateway?.close();
  await index?.close();
});
beforeEach(() => codeFrom(null, null));

describe('Foundation releases before a factory is bound', () => {
  it('are absent, and no token belongs to one', async () => {
    expect(await read(RELEASES, foundationReleasesSchema)).toMatchObject({ items: [] });
    expect(await outcomeOf(`${MODULE_FOUNDATION_PATH}?chainId=4663`)).toEqual([404, 'NOT_FOUND']);
    expect(await outcomeOf(ofToken(4663, account(1)))).toEqual([404, 'NOT_FOUND']);
  });
});

describe('Foundation releases', () => {
  let current: Hex;
  beforeAll(async () => {
    await index.source(V1, { status: 'retained', checkpoint: String(CHECKPOINT) });
    current = (await index.source(V3, { checkpoint: String(CHECKPOINT + 9n) })) as unknown as Hex;
  });

  it('are listed with the one for new launches first, each with the path of its availability', async () => {
    const { items } = await read(RELEASES, foundationReleasesSchema);
    expect(items).toMatchObject([
      {
        factoryVersion: 'V3',
        status: 'current',
        platformFeeBps: 30,
        factoryAddress: V3.address,
        releaseDigest: current,
      },
      { factoryVersion: 'V1', status: 'retained', platformFeeBps: 100, factoryAddress: V1.address },
    ]);
    const discovery = await read(`${MODULE_FOUNDATION_PATH}?chainId=4663`, moduleFoundationSchema);
    expect(discovery).toMatchObject({
      factoryVersion: 'V3',
      releaseDigest: current,
      runtimeHashes: { factory: V3.runtimeCodeHash, custody: word(0xc001), poolManager: word(0xb001) },
      releases: [
        { factoryVersion: 'V3', custodyAddress: checksummed(account(0xc00)), abiSha256: V3.abiSha256 },
        { factoryVersion: 'V1', status: 'retained' },
      ],
    });
    expect(discovery).not.toHaveProperty('launch');
    const abi = await get(discovery.releases[0]!.abiUrl);
    expect(abi.status).toBe(200);
  });

  it('are available where both observers show the code that the release names, and uncertain where one differs', async () => {
    const { availabilityPath } = (await read(RELEASES, foundationReleasesSchema)).items[0]!;
    const hash = V3.runtimeCodeHash;
    for (const [shown, availability, reasons] of [
      [[hash, hash], 'AVAILABLE', []],
      [[null, null], 'UNAVAILABLE', ['NO_CODE']],
      [[word(1), word(1)], 'UNAVAILABLE', ['RUNTIME_MISMATCH']],
      [[hash, word(1)], 'INDETERMINATE', ['OBSERVERS_DISAGREE']],
      [[hash, null], 'INDETERMINATE', ['OBSERVERS_DISAGREE']],
      [[hash, undefined], 'INDETERMINATE', ['OBSERVER_WITHOUT_ANSWER']],
      [[], 'INDETERMINATE', ['OBSERVER_WITHOUT_ANSWER']],
    ] as const) {
      gateway.chain.shown = shown.map((one) => (chainId, address, at) => {
        expect([chainId, address, at]).toEqual([4663, V3.address, 'latest']);
        return one;
      });
      expect(await read(availabilityPath, foundationAvailabilitySchema)).toMatchObject({
        releaseDigest: current,
        availability,
        reasons,
        observers: shown.map((one, at) => ({ id: `observer-${at}`, runtimeCodeHash: one ?? null })),
      });
    }
    expect(await outcomeOf(`${RELEASES}/${'0'.repeat(64)}/availability`)).toEqual([404, 'NOT_FOUND']);
    expect(await outcomeOf(`${RELEASES}/latest/availability`)).toEqual([404, 'NOT_FOUND']);
  });

  it('are all listed after one is disabled, and that one is no longer available', async () => {
    await index.source(V1, { status: 'disabled', checkpoint: String(CHECKPOINT) });
    gateway.chain.shown = [() => V1.runtimeCodeHash, () => V1.runtimeCodeHash];
    const { items } = await read(RELEASES, foundationReleasesSchema);
    const retained = items.find(({ factoryVersion }) => factoryVersion === 'V1')!;
    expect(retained.status).toBe('retained');
    expect(await read(retained.availabilityPath, foundationAvailabilitySchema)).toMatchObject({
      availability: 'UNAVAILABLE',
      reasons: ['RELEASE_DISABLED'],
    });
    await index.source(V1, { status: 'retained', checkpoint: String(CHECKPOINT) });
  });
});

describe('a token of module-foundation', () => {
  const [coin, early, native, graph, other] = [11, 12, 13, 14, 15].map(account) as [Hex, Hex, Hex, Hex, Hex];
  beforeAll(async () => {
    await index.source(NATIVE);
    await index.source(ROUTER, { checkpoint: '21000200' });
    await index.launch(V1, 11, UNROUTED);
    await index.launch(V3, 12, UNROUTED, { stage: 'ethereum_posted' });
    await index.launch(NATIVE, 13, UNROUTED);
    await index.launch(ROUTER, 14, { launchKind: 2, blockNumber: '21000100' });
  });

  it('is shown with its launch once that is final, and pending before', async () => {
    expect((await read(ofToken(4663, coin), moduleFoundationSchema)).launch).toMatchObject({
      sourceKind: 'module-foundation-v1',
      factoryVersion: 'V1',
      tokenAddress: checksummed(coin),
      launchId: null,
    });
    const answer = await get(ofToken(4663, early));
    expect([answer.status, codeOf(answer), answer.headers.get('retry-after')]).toEqual([
      503,
      'MODULE_INDEX_PENDING',
      '5',
    ]);
  });

  it('is not found as the coin of another source, or without a contract', async () => {
    expect(await outcomeOf(ofToken(4663, native))).toEqual([404, 'NOT_FOUND']);
    expect(await outcomeOf(ofToken(4663, other))).toEqual([404, 'NOT_FOUND']);
    expect(await outcomeOf(ofToken(1, other))).toEqual([404, 'NOT_FOUND']);
  });

  it('is pending while only later blocks show its code, only one observer does, or one does not answer', async () => {
    for (const blocks of [
      [CHECKPOINT + 1n, CHECKPOINT + 1n],
      [CHECKPOINT, CHECKPOINT + 1n],
      [1n, null],
      [1n, undefined],
      [null, undefined],
      [],
    ]) {
      codeFrom(...blocks);
      expect([blocks, await outcomeOf(ofToken(4663, other))]).toEqual([blocks, [503, 'MODULE_INDEX_PENDING']]);
    }
  });

  it('misses a stamp on Ethereum when both observers show it at a block up to which every router was read', async () => {
    codeFrom(21_000_200n, 21_000_200n);
    expect(await outcomeOf(ofToken(1, other))).toEqual([404, 'MODULE_STAMP_MISSING']);
    codeFrom(21_000_200n, 21_000_201n);
    expect(await outcomeOf(ofToken(1, other))).toEqual([503, 'MODULE_INDEX_PENDING']);
    // On chain 4663 a token without a launch is simply not one.
    codeFrom(CHECKPOINT, CHECKPOINT);
    expect(await outcomeOf(ofToken(4663, other))).toEqual([404, 'NOT_FOUND']);
    // A graph is stamped, though no factory of Ethereum is published here.
    expect(await outcomeOf(ofToken(1, graph))).toEqual([404, 'NOT_FOUND']);
  });

  it('is pending on Ethereum while a disabled router lags behind it, and misses a stamp once that router is past it', async () => {
    const disabled = sourceDocument({ ...ROUTER, address: account(0xf06), startBlock: '20000000' });
    codeFrom(21_000_000n, 21_000_000n);
    await index.source(disabled, { status: 'disabled', state: 'backfilling', checkpoint: '20999999' });
    expect(await outcomeOf(ofToken(1, other))).toEqual([503, 'MODULE_INDEX_PENDING']);
    await index.source(disabled, { status: 'disabled', checkpoint: '21000000' });
    expect(await outcomeOf(ofToken(1, other))).toEqual([404, 'MODULE_STAMP_MISSING']);
  });

  it('is pending while a disabled factory lags behind it, and that factory’s own coins are shown', async () => {
    codeFrom(CHECKPOINT, CHECKPOINT);
    await index.source(V1, { status: 'disabled', state: 'backfilling', checkpoint: String(CHECKPOINT - 1n) });
    expect(await outcomeOf(ofToken(4663, other))).toEqual([503, 'MODULE_INDEX_PENDING']);
    expect(await outcomeOf(ofToken(4663, coin))).toEqual([200, 'ok']);
    await index.source(V1, { status: 'disabled', checkpoint: String(CHECKPOINT) });
    expect(await outcomeOf(ofToken(4663, other))).toEqual([404, 'NOT_FOUND']);
    await index.source(V1, { status: 'retained', checkpoint: String(CHECKPOINT) });
  });

  it('is requested by chain and checksum only', async () => {
    const lower = `${MODULE_FOUNDATION_PATH}?chainId=4663&token=${coin}`;
    for (const query of [lower, MODULE_FOUNDATION_PATH, `${MODULE_FOUNDATION_PATH}?chainId=5`, `${lower}&x=1`])
      expect([query, await outcomeOf(query)]).toEqual([query, [400, 'QUERY_INVALID']]);
  });
});

describe('graph factories of Ethereum', () => {
  const bound = (seed: number) => ({ address: account(seed), runtimeCodeHash: word(seed) });
  const ofVersion = (version: string, seed: number) => ({
    [`graphFactory${version}`]: bound(seed),
    [`moduleImplementation${version}`]: bound(seed + 1),
    [`launchAccount${version}`]: bound(seed + 2),
  });
  const GRAPHS = sourceDocument({
    sourceVersion: 'ethereum-custom-v1',
    chainId: 1,
    address: account(0xf10),
    startBlock: '21000100',
    contracts: {
      poolManager: bound(0xb00),
      custody: bound(0xc10),
      ...ofVersion('V1', 0xe10),
      ...ofVersion('V2', 0xe20),
    },
  });
  const shown = (seed: number) => ({ address: checksummed(account(seed)), runtimeCodeHash: word(seed) });

  it('are releases of their router’s binding: V2 for new launches, V1 retained', async () => {
    await index.source(GRAPHS);
    const discovery = await read(`${MODULE_FOUNDATION_PATH}?chainId=1`, moduleFoundationSchema);
    expect(discovery).toMatchObject({
      chainId: 1,
      factoryVersion: 'V2',
      startBlock: '21000100',
      runtimeHashes: { factory: word(0xe20), moduleImplementation: word(0xe21), launchAccount: word(0xe22) },
      releases: [
        { factoryVersion: 'V2', status: 'active', platformFeeBps: 30, factoryAddress: checksummed(account(0xe20)) },
        { factoryVersion: 'V1', status: 'retained', platformFeeBps: 100, factoryAddress: checksummed(account(0xe10)) },
      ],
      moduleImplementation: shown(0xe21),
      graphFactory: {
        v1: { ...shown(0xe10), moduleImplementation: shown(0xe11), launchAccount: shown(0xe12) },
        v2: { ...shown(0xe20), moduleImplementation: shown(0xe21), launchAccount: shown(0xe22) },
      },
    });
    const { items } = await read(RELEASES, foundationReleasesSchema);
    const ofEthereum = items.filter(({ chainId }) => chainId === 1);
    expect(ofEthereum.map(({ factoryVersion, status }) => [factoryVersion, status])).toEqual([
      ['V2', 'current'],
      ['V1', 'retained'],
    ]);
    expect(new Set(items.map(({ releaseDigest }) => releaseDigest)).size).toBe(items.length);
    for (const { availabilityPath, factoryAddress, factoryVersion } of ofEthereum) {
      const code = word(factoryVersion === 'V1' ? 0xe10 : 0xe20);
      gateway.chain.shown = [0, 1].map(() => (chainId: number, address: Hex) => {
        expect([chainId, address]).toEqual([1, factoryAddress]);
        return code;
      });
      expect(await read(availabilityPath, foundationAvailabilitySchema)).toMatchObject({ availability: 'AVAILABLE' });
    }
  });

  it('return a graph’s record for its token, and none of chain 4663 names one', async () => {
    const token = account(0xabc);
    await index.launch(GRAPHS, 0xabc, { launchKind: 2, tokenAddress: token, name: 'Graph' });
    const { launch } = await read(ofToken(1, token), moduleFoundationSchema);
    expect(launch).toMatchObject({ launchKind: 2, name: 'Graph', routerAddress: checksummed(account(0xf10)) });
    const discovery = await read(`${MODULE_FOUNDATION_PATH}?chainId=4663`, moduleFoundationSchema);
    expect(discovery).not.toHaveProperty('graphFactory');
    expect(discovery).not.toHaveProperty('moduleImplementation');
  });
});
