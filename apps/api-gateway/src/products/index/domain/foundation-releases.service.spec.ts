import { beforeEach, describe, expect, it } from '@jest/globals';
import type { FoundationFactoryVersion } from '@launch/contracts/index';
import { foundationAvailabilitySchema, foundationReleasesSchema } from '@launch/contracts/modules';
import type { Hex, Sha256Digest } from '@launch/contracts/primitives';
import { memoryIndex, type MemoryIndex } from '../../../fixtures/memory-index.js';
import { account, sourceDocument, word } from '../../../fixtures/published-rows.js';
import { refusalOfWork } from '../../../fixtures/refused.js';
import { testChain } from '../../../fixtures/test-chain.js';
import { FoundationReleasesService } from './foundation-releases.service.js';

const factory = (factoryVersion: FoundationFactoryVersion, seed: number) =>
  sourceDocument({
    sourceVersion: 'module-foundation-v1',
    factoryVersion,
    address: account(seed),
    contracts: { custody: { address: account(0xc00), runtimeCodeHash: word(0xc001) } },
  });
const [V1, V3] = [factory('V1', 0xf01), factory('V3', 0xf03)];
const hash = V3.runtimeCodeHash;

let index: MemoryIndex;
let current: Sha256Digest;
let retained: Sha256Digest;
const chain = testChain();
let releases: FoundationReleasesService;
beforeEach(() => {
  index = memoryIndex();
  retained = index.source(V1, { status: 'retained' });
  current = index.source(V3);
  releases = new FoundationReleasesService(index.state, chain, { now: () => Date.now() });
});
const availabilityOf = async (digest: Sha256Digest, ...shown: readonly (Hex | null | undefined)[]) => {
  chain.shown = shown.map((one) => () => one);
  return foundationAvailabilitySchema.parse(await releases.availability(digest));
};

describe('Foundation releases', () => {
  it('are absent before a factory is bound', async () => {
    const none = new FoundationReleasesService(memoryIndex().state, chain, { now: () => Date.now() });
    expect((await none.releases()).items).toEqual([]);
  });

  it('are listed with the one for new launches first, each with the path of its availability', async () => {
    const { items } = foundationReleasesSchema.parse(await releases.releases());
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
    for (const { availabilityPath, releaseDigest } of items)
      expect(availabilityPath).toContain(releaseDigest.replace('sha256:', ''));
  });

  it.each<[readonly (Hex | null | undefined)[], string, readonly string[]]>([
    [[hash, hash], 'AVAILABLE', []],
    [[null, null], 'UNAVAILABLE', ['NO_CODE']],
    [[word(1), word(1)], 'UNAVAILABLE', ['RUNTIME_MISMATCH']],
    [[hash, word(1)], 'INDETERMINATE', ['OBSERVERS_DISAGREE']],
    [[hash, null], 'INDETERMINATE', ['OBSERVERS_DISAGREE']],
    [[hash, undefined], 'INDETERMINATE', ['OBSERVER_WITHOUT_ANSWER']],
    [[hash], 'INDETERMINATE', ['OBSERVER_WITHOUT_ANSWER']],
    [[], 'INDETERMINATE', ['OBSERVER_WITHOUT_ANSWER']],
  ])('whose observers show %j are %s', async (shown, availability, reasons) => {
    expect(await availabilityOf(current, ...shown)).toMatchObject({
      releaseDigest: current,
      availability,
      reasons,
      observers: shown.map((one, at) => ({ id: `observer-${at}`, runtimeCodeHash: one ?? null })),
    });
  });

  it('are judged by the code at their address in the last block', async () => {
    const asked: unknown[] = [];
    chain.shown = [(...about) => void asked.push(about)];
    await releases.availability(current);
    expect(asked).toEqual([[4663, V3.address, 'latest']]);
  });

  it('are checked again only after five seconds', async () => {
    let now = 0;
    releases = new FoundationReleasesService(index.state, chain, { now: () => now });
    const first = await availabilityOf(current, hash, hash);
    now = 4_999;
    expect(await availabilityOf(current, null, null)).toEqual(first);
    now = 5_000;
    expect(await availabilityOf(current, null, null)).toMatchObject({
      availability: 'UNAVAILABLE',
      checkedAt: '1970-01-01T00:00:05.000Z',
    });
  });

  it('are all listed after one is disabled, and that one is no longer available', async () => {
    index.source(V1, { status: 'disabled' });
    const { items } = await releases.releases();
    expect(items.map(({ factoryVersion, status }) => [factoryVersion, status])).toEqual([
      ['V3', 'current'],
      ['V1', 'retained'],
    ]);
    expect(await availabilityOf(retained, V1.runtimeCodeHash, V1.runtimeCodeHash)).toMatchObject({
      availability: 'UNAVAILABLE',
      reasons: ['RELEASE_DISABLED'],
    });
  });

  it('are not found under another digest', async () => {
    expect((await refusalOfWork(() => releases.availability(`sha256:${'0'.repeat(64)}`))).code).toBe('NOT_FOUND');
  });
});
