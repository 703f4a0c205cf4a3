import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  abiUrlOf,
  moduleFoundationSchema,
  type FoundationFactoryVersion,
  type IndexedChain,
} from '@launch/contracts/index';
import { checksummed, sha256Digest, type Hex, type Sha256Digest } from '@launch/contracts/primitives';
import { foundationReleasesSchema } from '@launch/contracts/modules';
import { memoryIndex, type MemoryIndex } from '../../../fixtures/memory-index.js';
import { account, sourceDocument, word } from '../../../fixtures/published-rows.js';
import { refusalOfWork } from '../../../fixtures/refused.js';
import { testChain } from '../../../fixtures/test-chain.js';
import { FoundationReleasesService } from './foundation-releases.service.js';
import { ModuleFoundationService } from './module-foundation.service.js';
import { publishedAbi } from './source-documents.js';

const bound = (seed: number) => ({ address: account(seed), runtimeCodeHash: word(seed) });
const factory = (factoryVersion: FoundationFactoryVersion, seed: number) =>
  sourceDocument({
    sourceVersion: 'module-foundation-v1',
    factoryVersion,
    address: account(seed),
    contracts: { poolManager: bound(0xb00), custody: bound(0xc00) },
  });
const [V1, V3] = [factory('V1', 0xf01), factory('V3', 0xf03)];
const router = (seed: number, startBlock: string) =>
  sourceDocument({ sourceVersion: 'ethereum-custom-v1', chainId: 1, address: account(seed), startBlock });
const ROUTER = router(0xf04, '21000000');
const NATIVE = sourceDocument({ sourceVersion: 'module-native-v1', address: account(0xf05) });
const CHECKPOINT = 50_470_000n;
const UNROUTED = { launchId: null, launchKind: null, routerAddress: null, stampHash: null };
const [coin, early, native, graph, other] = [11, 12, 13, 14, 15].map(account) as [Hex, Hex, Hex, Hex, Hex];

const chain = testChain();
let index: MemoryIndex;
let current: Sha256Digest;
let releases: FoundationReleasesService;
let foundation: ModuleFoundationService;
beforeEach(() => {
  index = memoryIndex();
  releases = new FoundationReleasesService(index.state, chain, { now: () => Date.now() });
  foundation = new ModuleFoundationService(releases, index.state, index.rows, chain);
  codeFrom(null, null);
});

/** Makes the observers show code from a block on. */
function codeFrom(...blocks: readonly (bigint | null | undefined)[]): void {
  chain.shown = blocks.map((block) => (_chain, _address, at) => {
    if (block === undefined || block === null) return block;
    return at === 'latest' || at >= block ? word(0xc0de) : null;
  });
}
const shown = async (chainId: IndexedChain, token?: Hex) =>
  moduleFoundationSchema.parse(await foundation.discovery(chainId, token));
const outcomeOf = async (chainId: IndexedChain, token?: Hex) =>
  (await refusalOfWork(() => foundation.discovery(chainId, token))).code;

it('The discovery of Foundation is absent before a factory is bound, and no token belongs to one', async () => {
  expect(await outcomeOf(4663)).toBe('NOT_FOUND');
  expect(await outcomeOf(4663, coin)).toBe('NOT_FOUND');
});

describe('With factories and a router,', () => {
  beforeEach(() => {
    index.source(V1, { status: 'retained', checkpoint: String(CHECKPOINT) });
    current = index.source(V3, { checkpoint: String(CHECKPOINT + 9n) });
    index.source(NATIVE);
    index.source(ROUTER, { checkpoint: '21000200' });
    index.launch(V1, 11, UNROUTED);
    index.launch(V3, 12, UNROUTED, { stage: 'ethereum_posted' });
    index.launch(NATIVE, 13, UNROUTED);
    index.launch(ROUTER, 14, { launchKind: 2, blockNumber: '21000100' });
  });

  it('discovery names the release for new launches, and every release with its contracts', async () => {
    const discovery = await shown(4663);
    expect(discovery).toMatchObject({
      factoryVersion: 'V3',
      releaseDigest: current,
      runtimeHashes: { factory: V3.runtimeCodeHash, custody: word(0xc00), poolManager: word(0xb00) },
      releases: [
        { factoryVersion: 'V3', custodyAddress: checksummed(account(0xc00)), abiSha256: V3.abiSha256 },
        { factoryVersion: 'V1', status: 'retained' },
      ],
    });
    for (const member of ['launch', 'graphFactory', 'moduleImplementation'])
      expect(discovery).not.toHaveProperty(member);
  });

  it('a token is shown with its launch once that is final, and pending before', async () => {
    expect((await shown(4663, coin)).launch).toMatchObject({
      sourceKind: 'module-foundation-v1',
      factoryVersion: 'V1',
      tokenAddress: checksummed(coin),
      launchId: null,
    });
    const refused = await refusalOfWork(() => foundation.discovery(4663, early));
    expect([refused.code, refused.retryAfterSeconds]).toEqual(['MODULE_INDEX_PENDING', 5]);
  });

  it('a token is not found as the coin of another source, or without a contract', async () => {
    expect(await outcomeOf(4663, native)).toBe('NOT_FOUND');
    expect(await outcomeOf(4663, other)).toBe('NOT_FOUND');
    expect(await outcomeOf(1, other)).toBe('NOT_FOUND');
  });

  it.each<[string, readonly (bigint | null | undefined)[]]>([
    ['only later blocks show its code', [CHECKPOINT + 1n, CHECKPOINT + 1n]],
    ['only one observer shows its code at that block', [CHECKPOINT, CHECKPOINT + 1n]],
    ['only one observer shows its code', [1n, null]],
    ['one observer does not answer and the other shows its code', [1n, undefined]],
    ['one observer does not answer and the other shows no code', [null, undefined]],
    ['there is no observer', []],
  ])('a token is pending while %s', async (_what, blocks) => {
    codeFrom(...blocks);
    expect(await outcomeOf(4663, other)).toBe('MODULE_INDEX_PENDING');
  });

  it('a token misses a stamp on Ethereum when both observers show it at a block up to which every router was read', async () => {
    codeFrom(21_000_200n, 21_000_200n);
    expect(await outcomeOf(1, other)).toBe('MODULE_STAMP_MISSING');
    codeFrom(21_000_200n, 21_000_201n);
    expect(await outcomeOf(1, other)).toBe('MODULE_INDEX_PENDING');
    // On chain 4663 a token without a launch is simply not one.
    codeFrom(CHECKPOINT, CHECKPOINT);
    expect(await outcomeOf(4663, other)).toBe('NOT_FOUND');
    // A graph is stamped, though no factory of Ethereum is published here.
    expect(await outcomeOf(1, graph)).toBe('NOT_FOUND');
  });

  it('a token is pending on Ethereum while a disabled router lags behind it or has no checkpoint', async () => {
    const disabled = router(0xf06, '20000000');
    codeFrom(21_000_000n, 21_000_000n);
    index.source(disabled, { status: 'disabled', state: 'backfilling', checkpoint: '20999999' });
    expect(await outcomeOf(1, other)).toBe('MODULE_INDEX_PENDING');
    index.source(disabled, { status: 'disabled', state: 'backfilling', checkpointAge: null });
    expect(await outcomeOf(1, other)).toBe('MODULE_INDEX_PENDING');
    index.source(disabled, { status: 'disabled', checkpoint: '21000000' });
    expect(await outcomeOf(1, other)).toBe('MODULE_STAMP_MISSING');
    // A router that has ended reads no further, and holds nothing back.
    index.source(disabled, { status: 'disabled', state: 'ended', checkpoint: '20999999' });
    expect(await outcomeOf(1, other)).toBe('MODULE_STAMP_MISSING');
  });

  it('a token is pending while a disabled factory lags behind it, and that factory’s own coins are shown', async () => {
    codeFrom(CHECKPOINT, CHECKPOINT);
    index.source(V1, { status: 'disabled', state: 'backfilling', checkpoint: String(CHECKPOINT - 1n) });
    expect(await outcomeOf(4663, other)).toBe('MODULE_INDEX_PENDING');
    expect((await shown(4663, coin)).launch).toMatchObject({ tokenAddress: checksummed(coin) });
    index.source(V1, { status: 'disabled', checkpoint: String(CHECKPOINT) });
    expect(await outcomeOf(4663, other)).toBe('NOT_FOUND');
  });
});

describe('Graph factories of Ethereum', () => {
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
  const named = (seed: number) => ({ address: checksummed(account(seed)), runtimeCodeHash: word(seed) });
  beforeEach(() => {
    index.source(V3);
    index.source(ROUTER);
    index.source(GRAPHS);
  });

  it('are releases of their router’s binding: V2 for new launches, V1 retained', async () => {
    expect(await shown(1)).toMatchObject({
      chainId: 1,
      factoryVersion: 'V2',
      startBlock: '21000100',
      runtimeHashes: { factory: word(0xe20), moduleImplementation: word(0xe21), launchAccount: word(0xe22) },
      releases: [
        { factoryVersion: 'V2', status: 'active', platformFeeBps: 30, factoryAddress: checksummed(account(0xe20)) },
        { factoryVersion: 'V1', status: 'retained', platformFeeBps: 100, factoryAddress: checksummed(account(0xe10)) },
      ],
      moduleImplementation: named(0xe21),
      graphFactory: {
        v1: { ...named(0xe10), moduleImplementation: named(0xe11), launchAccount: named(0xe12) },
        v2: { ...named(0xe20), moduleImplementation: named(0xe21), launchAccount: named(0xe22) },
      },
    });
    const { items } = foundationReleasesSchema.parse(await releases.releases());
    const ofEthereum = items.filter(({ chainId }) => chainId === 1);
    expect(ofEthereum.map(({ factoryVersion, status }) => [factoryVersion, status])).toEqual([
      ['V2', 'current'],
      ['V1', 'retained'],
    ]);
    expect(new Set(items.map(({ releaseDigest }) => releaseDigest)).size).toBe(items.length);
    for (const { releaseDigest, factoryAddress, factoryVersion } of ofEthereum) {
      const code = word(factoryVersion === 'V1' ? 0xe10 : 0xe20);
      chain.shown = [0, 1].map(() => (chainId, address) => (chainId === 1 && address === factoryAddress ? code : null));
      expect(await releases.availability(releaseDigest)).toMatchObject({ availability: 'AVAILABLE' });
    }
  });

  it('name the ABI of their own generation, which resolves to its bytes', async () => {
    const discovered = await shown(1);
    const abis = discovered.releases.map(({ factoryVersion, abiUrl, abiSha256 }) => {
      const { bytes } = publishedAbi(abiSha256)!;
      expect([abiSha256, abiUrl]).toEqual([sha256Digest(bytes), abiUrlOf(abiSha256)]);
      const items = JSON.parse(new TextDecoder().decode(bytes)) as { name: string }[];
      const named = (name: string) => items.some((item) => item.name === name);
      return [factoryVersion, named('FoundationGraphLaunched'), named('NotLaunchAccount')];
    });
    // Only the second generation refuses a call that does not come from an account.
    expect(abis).toEqual([
      ['V2', true, true],
      ['V1', true, false],
    ]);
  });

  it('return a graph’s record for its token, and none of chain 4663 names one', async () => {
    const token = account(0xabc);
    index.launch(GRAPHS, 0xabc, { launchKind: 2, name: 'Graph' });
    const { launch } = await shown(1, token);
    expect(launch).toMatchObject({ launchKind: 2, name: 'Graph', routerAddress: checksummed(account(0xf10)) });
    const ofLaunchChain = await shown(4663);
    expect(ofLaunchChain).not.toHaveProperty('graphFactory');
    expect(ofLaunchChain).not.toHaveProperty('moduleImplementation');
  });
});
