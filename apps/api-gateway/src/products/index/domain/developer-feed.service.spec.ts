import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  developerLaunchesSchema,
  developerLaunchSchema,
  indexedLaunchesSchema,
  indexedLaunchSchema,
  indexManifestSchema,
  routerIdentitiesSchema,
  type CoinAssessment,
} from '@launch/contracts/index';
import { checksummed, type Hex } from '@launch/contracts/primitives';
import { CursorCodec } from '@launch/http';
import { Secret } from '@launch/platform';
import { memoryIndex, type MemoryIndex } from '../../../fixtures/memory-index.js';
import { account, sourceDocument } from '../../../fixtures/published-rows.js';
import { refusalOfWork } from '../../../fixtures/refused.js';
import { DeveloperFeedService } from './developer-feed.service.js';
import { IndexedLaunchesService } from './indexed-launches.service.js';
import { RouterIdentitiesService } from './router-identities.service.js';

const RETIRED = sourceDocument({
  sourceVersion: 'ethereum-custom-v1',
  chainId: 1,
  address: account(0xf01),
  startBlock: '21000000',
  endBlock: '21000099',
});
const PRIMARY = sourceDocument({
  sourceVersion: 'ethereum-custom-v1',
  chainId: 1,
  address: account(0xf02),
  startBlock: '21000100',
});
const NATIVE = sourceDocument({ sourceVersion: 'module-native-v1', address: account(0xf03) });
const HEAD = { checkpoint: '21000200' };
const ENDED = { status: 'retained', state: 'ended', checkpoint: '21000099', checkpointAge: 4_000 } as const;
const [custom, graph, early] = [account(1), account(2), account(4)];
const ASSESSMENT: CoinAssessment = {
  axes: {
    provenance: 'STAMPED',
    feedAvailability: 'AVAILABLE',
    finality: 'FINALIZED',
    sourceVerification: 'UNVERIFIED',
    writeActivation: 'INACTIVE',
    feeBehaviour: 'UNVERIFIED',
    security: 'UNVERIFIED',
    marketSupport: 'UNVERIFIED',
    thirdPartyIndexing: 'UNVERIFIED',
  },
  label: null,
};

let index: MemoryIndex;
let launches: IndexedLaunchesService;
let feed: DeveloperFeedService;
let identities: RouterIdentitiesService;
beforeEach(() => {
  index = memoryIndex();
  launches = new IndexedLaunchesService(
    index.rows,
    index.state,
    { assess: async () => ASSESSMENT },
    new CursorCodec(new Secret('a key of cursors')),
  );
  feed = new DeveloperFeedService(index.state, launches);
  identities = new RouterIdentitiesService(index.rows, index.state);
});
const jsonOf = (bytes: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(bytes));
const listed = async (query: { limit: number; cursor?: string }) =>
  developerLaunchesSchema.parse(jsonOf(await feed.list(query)));
const manifest = async () => indexManifestSchema.parse(await feed.manifest());
const snapshot = async () => routerIdentitiesSchema.parse(jsonOf(await identities.snapshot()));
const refusedCode = async (work: () => unknown) => (await refusalOfWork(work)).code;
const outcomeOf = async (token: Hex) => {
  try {
    return developerLaunchSchema.parse(await feed.launch(token)).launch.tokenAddress;
  } catch (error) {
    return refusedCode(() => {
      throw error;
    });
  }
};

it('The developer feed has no manifest and reports no absence before a router of Ethereum is bound', async () => {
  index.source(NATIVE);
  expect(await refusedCode(manifest)).toBe('NOT_FOUND');
  expect(await outcomeOf(custom)).toBe('INDEX_NOT_CURRENT');
  expect(await refusedCode(snapshot)).toBe('SERVICE_UNAVAILABLE');
});

describe('The manifest of the developer feed', () => {
  beforeEach(() => {
    index.source(PRIMARY, HEAD);
    index.source(RETIRED, ENDED);
    index.source(NATIVE);
  });
  const generations = async () =>
    (await manifest()).extensions.routerGenerations.map(({ address, startBlock, endBlock, status }) => [
      address,
      startBlock,
      endBlock,
      status,
    ]);

  it('names the generation for new launches, and every generation with its blocks', async () => {
    const { router, sources, releases } = await manifest();
    expect(router).toMatchObject({
      address: PRIMARY.address,
      endBlock: null,
      status: 'active',
      runtimeCodeHash: PRIMARY.runtimeCodeHash,
      abiSha256: PRIMARY.abiSha256,
      bindings: { contracts: { poolManager: PRIMARY.contracts['poolManager']!.address } },
    });
    expect(await generations()).toEqual([
      [RETIRED.address, '21000000', '21000099', 'retained'],
      [PRIMARY.address, '21000100', null, 'active'],
    ]);
    expect([sources.length, releases]).toEqual([2, []]);
  });

  it('names a router that two releases bind once, over the blocks of both and by the binding for new launches', async () => {
    index.source(sourceDocument({ ...PRIMARY, startBlock: '21000050', sourceCommit: 'c'.repeat(40) }), {
      ...HEAD,
      status: 'retained',
    });
    const { router, extensions, sources } = await manifest();
    const digest = index.source(PRIMARY, HEAD);
    const whole = { address: PRIMARY.address, startBlock: '21000050', endBlock: null };
    expect(extensions.routerGenerations.map(({ address }) => address)).toEqual(
      [RETIRED, PRIMARY].map(({ address }) => address),
    );
    expect(extensions.routerGenerations[1]).toEqual(router);
    expect(router).toMatchObject({ ...whole, status: 'active', bindings: { releaseDigest: digest } });
    expect(sources.filter(({ address }) => address === router.address)).toHaveLength(2);
    const { routers } = await snapshot();
    expect(routers).toHaveLength(2);
    const ofSite = { ...whole, address: checksummed(PRIMARY.address), releaseDigest: digest };
    expect(routers).toContainEqual(expect.objectContaining(ofSite));
  });

  it('ends a router where its last binding does', async () => {
    index.source(sourceDocument({ ...RETIRED, startBlock: '20000000', endBlock: '20999999' }), {
      ...ENDED,
      checkpoint: '20999999',
    });
    expect((await generations())[0]).toEqual([RETIRED.address, '20000000', '21000099', 'retained']);
  });
});

describe('Launches of the developer feed', () => {
  beforeEach(() => {
    index.source(PRIMARY, HEAD);
    index.source(RETIRED, ENDED);
    index.source(NATIVE);
    index.launch(RETIRED, 1, { blockNumber: '21000050' });
    index.launch(PRIMARY, 2, { launchKind: 2, blockNumber: '21000150' });
    index.launch(NATIVE, 3, { launchKind: null, routerAddress: null, stampHash: null });
    index.launch(PRIMARY, 4, {}, { stage: 'sequencer_soft_confirmed' });
  });

  it('are those of both kinds by every generation, and no other chain’s, page by page', async () => {
    const first = await listed({ limit: 1 });
    const next = await listed({ limit: 1, cursor: first.nextCursor! });
    const kinds = [first, next].map(({ items }) =>
      items.map(({ tokenAddress, launchKind }) => [tokenAddress, launchKind]),
    );
    expect(kinds).toEqual([[[custom, 1]], [[graph, 2]]]);
    expect([next.nextCursor, next.status]).toEqual([null, 'ok']);
  });

  it('have cursors that are valid for their own list and filter alone', async () => {
    const { nextCursor } = await listed({ limit: 1 });
    const filtered = indexedLaunchesSchema.parse(jsonOf(await launches.list({ limit: 1, chainId: 1 })));
    for (const query of [
      { limit: 1, chainId: 1, cursor: nextCursor! },
      { limit: 1, cursor: filtered.nextCursor! },
      { limit: 1, chainId: 1, sourceKind: 'ethereum-custom-v1', cursor: filtered.nextCursor! },
    ] as const)
      expect(await refusedCode(() => launches.list(query))).toBe('CURSOR_INVALID');
    const next = jsonOf(await launches.list({ limit: 1, chainId: 1, cursor: filtered.nextCursor! }));
    expect(indexedLaunchesSchema.parse(next).items.map(({ tokenAddress }) => tokenAddress)).toEqual([
      checksummed(graph),
    ]);
  });

  it('are found by their token, and absence is reported only while every source of Ethereum is current', async () => {
    expect(await outcomeOf(graph)).toBe(graph);
    expect(await outcomeOf(account(3))).toBe('NOT_FOUND');
    expect(await outcomeOf(early)).toBe('INDEX_NOT_CURRENT');
    index.source(PRIMARY, { ...HEAD, checkpointAge: 121 });
    expect(await outcomeOf(account(3))).toBe('INDEX_NOT_CURRENT');
    expect(await outcomeOf(graph)).toBe(graph);
    index.source(PRIMARY, { ...HEAD, has_holds: true });
    expect(await outcomeOf(account(3))).toBe('INDEX_NOT_CURRENT');
    index.source(PRIMARY, HEAD);
    index.source(NATIVE, { state: 'stopped' });
    expect(await outcomeOf(account(3))).toBe('NOT_FOUND');
  });

  it('are normalized records with an assessment in the list of every chain', async () => {
    const { launch, ...assessment } = indexedLaunchSchema.parse(await launches.launch(1, custom));
    expect(launch.tokenAddress).toBe(checksummed(custom));
    expect(assessment).toMatchObject(ASSESSMENT);
  });

  it('have the freshness of the sources of their list', async () => {
    index.source(NATIVE, { checkpointAge: 300 });
    const statusOf = async (query: object) =>
      indexedLaunchesSchema.parse(jsonOf(await launches.list({ limit: 25, ...query }))).status;
    expect(await statusOf({})).toBe('stale');
    expect(await statusOf({ chainId: 1 })).toBe('ok');
    expect(await statusOf({ sourceKind: 'module-native-v1' })).toBe('stale');
  });
});

describe('The identity snapshot', () => {
  const tokens = async () => (await snapshot()).identities.map(({ tokenAddress }) => tokenAddress.toLowerCase());
  beforeEach(() => {
    index.source(PRIMARY, HEAD);
    index.source(RETIRED, ENDED);
    index.launch(PRIMARY, 20, { blockNumber: '21000201' });
    index.launch(PRIMARY, 10, { blockNumber: '21000150' });
    index.launch(RETIRED, 9, { blockNumber: '21000050' });
    index.launch(PRIMARY, 11, { blockNumber: '21000150' }, { stage: 'sequencer_soft_confirmed' });
    index.launch(PRIMARY, 12, { launchKind: 2, blockNumber: '21000150' });
  });

  it('has every Custom coin of Ethereum up to the checkpoint that all routers have reached', async () => {
    expect(await tokens()).toEqual([account(9), account(10)]);
    const { checkpoint, routers, count } = await snapshot();
    expect([checkpoint.number, routers.length, count]).toEqual(['21000200', 2, 2]);
    index.source(PRIMARY, { checkpoint: '21000201' });
    expect(await tokens()).toEqual([account(9), account(10), account(20)]);
  });

  it('reaches the last block of the routers once all have ended', async () => {
    const ended = memoryIndex();
    ended.source(RETIRED, ENDED);
    const last = sourceDocument({ ...RETIRED, address: account(0xf05), endBlock: '21000300' });
    ended.source(last, { ...ENDED, checkpoint: '21000300' });
    const service = new RouterIdentitiesService(ended.rows, ended.state);
    expect(routerIdentitiesSchema.parse(jsonOf(await service.snapshot())).checkpoint.number).toBe('21000300');
  });

  it('is unavailable while a router has no checkpoint', async () => {
    index.source(PRIMARY, { state: 'starting', checkpointAge: null });
    expect(await refusedCode(snapshot)).toBe('SERVICE_UNAVAILABLE');
  });
});
