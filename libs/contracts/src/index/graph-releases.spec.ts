import { describe, expect, it } from '@jest/globals';
import { canonicalSha256 } from '../primitives/digest.js';
import { graphReleasesOf } from './graph-releases.js';
import { indexSourceSchema, type IndexSource } from './index-source.schema.js';

const bound = (seed: number) => ({
  address: `0x${seed.toString(16).padStart(40, '0')}` as const,
  runtimeCodeHash: `0x${seed.toString(16).padStart(64, '0')}` as const,
});
const V1 = { graphFactoryV1: bound(1), moduleImplementationV1: bound(2), launchAccountV1: bound(3) };
const V2 = { graphFactoryV2: bound(4), moduleImplementationV2: bound(5), launchAccountV2: bound(6) };
const router = (contracts: IndexSource['contracts']): IndexSource => ({
  schemaVersion: 'service.index-source.v1',
  sourceVersion: 'ethereum-custom-v1',
  chainId: 1,
  ...bound(9),
  startBlock: '21000000',
  endBlock: null,
  abiSha256: `sha256:${'a'.repeat(64)}`,
  factoryVersion: null,
  contracts,
  profile: 'production',
  sourceCommit: 'c'.repeat(40),
  finalityPolicyId: 'chain-ethereum-finalized-v1',
});
const releases = (source: IndexSource) => graphReleasesOf(source, canonicalSha256(source));

describe('The graph releases of a router’s binding', () => {
  it('are its graph factories, V2 first, each with its own digest over every contract', () => {
    const source = router({ poolManager: bound(7), custody: bound(8), ...V1, ...V2 });
    const [second, first, ...more] = releases(source);
    expect(more).toEqual([]);
    expect([second, first]).toMatchObject([
      {
        factoryVersion: 'V2',
        factory: bound(4),
        moduleImplementation: bound(5),
        launchAccount: bound(6),
        custody: bound(8),
      },
      {
        factoryVersion: 'V1',
        factory: bound(1),
        moduleImplementation: bound(2),
        launchAccount: bound(3),
        custody: bound(8),
      },
    ]);
    const digests = [source, ...Object.keys(source.contracts).map((name) => changed(source, name))].flatMap((one) =>
      releases(one).map(({ releaseDigest }) => releaseDigest),
    );
    expect(new Set(digests).size).toBe(digests.length);
  });

  it('are empty when the binding names none', () => {
    expect(releases(router({ poolManager: bound(7) }))).toEqual([]);
  });

  it.each(Object.keys({ ...V2, custody: bound(8) }))('are refused when the binding omits %s', (name) => {
    const whole = { custody: bound(8), ...V2 };
    expect(indexSourceSchema.safeParse(router(whole)).success).toBe(true);
    const part = Object.fromEntries(Object.entries(whole).filter(([one]) => one !== name));
    expect(indexSourceSchema.safeParse(router(part)).error?.issues).toMatchObject([{ path: ['contracts'] }]);
  });
});

const changed = (source: IndexSource, name: string): IndexSource => ({
  ...source,
  contracts: { ...source.contracts, [name]: bound(0xff) },
});
