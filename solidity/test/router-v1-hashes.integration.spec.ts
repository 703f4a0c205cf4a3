/** The contracts' side of router V1's hash vectors: its own library recomputes every hash of every case. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Address, Hex } from 'viem';
import { artifact } from './support/artifacts.js';
import { Chain } from './support/chain.js';
import { withMutation } from './support/launch-vectors.js';
import { startTimeout } from './support/world.js';

interface Vectors {
  constants: Record<'domainTypehash' | 'permitTypehash' | 'protocol' | 'profile40', Hex>;
  case: object;
  expected: object;
  mutations: { path: string; value: unknown; expected: object }[];
}
const vectors = JSON.parse(
  readFileSync(new URL('../vectors/router-v1-hashes.json', import.meta.url), 'utf8'),
) as Vectors;

let chain: Chain;
let harness: Address;
let router: Address;
beforeAll(async () => {
  chain = await Chain.start();
  const [deployer] = await chain.rpc<[Address]>('eth_accounts');
  harness = await chain.deploy(deployer, artifact('RouterV1HashHarness'));
  const poolManager = await chain.deploy(deployer, artifact('PoolManager'), [deployer]);
  router = await chain.deploy(deployer, artifact('ServiceLaunchStampRouterV1'), [poolManager, deployer]);
}, startTimeout);
afterAll(() => chain?.close());

/** Converts decimal strings to integers; everything else stays unchanged. */
const parsed = (value: unknown): object =>
  JSON.parse(JSON.stringify(value), (_, field: unknown) =>
    typeof field === 'string' && /^\d+$/.test(field) ? BigInt(field) : field,
  ) as object;
const contractHashes = (given: unknown): Promise<object> =>
  chain.read(harness, 'RouterV1HashHarness', 'hashes', [
    { protocol: vectors.constants.protocol, ...parsed(given), stamp: stampOf(given) },
  ]);
/** The stamp as the contract stores it, its own hash among it. */
const stampOf = (given: unknown) => ({
  ...(parsed(given) as { stamp: object }).stamp,
  stampHash: `0x${'00'.repeat(32)}`,
});

describe('the hash vectors of router V1 in the contracts', () => {
  it('hold for the type hashes, and the router names its protocol and the profile without a buy', async () => {
    const { domainTypehash, permitTypehash, protocol, profile40 } = vectors.constants;
    expect(await chain.read(harness, 'RouterV1HashHarness', 'typehashes')).toEqual([domainTypehash, permitTypehash]);
    expect(await chain.read(router, 'ServiceLaunchStampRouterV1', 'PROTOCOL')).toBe(protocol);
    expect(await chain.read(router, 'ServiceLaunchStampRouterV1', 'PROFILE_WITHOUT_BUY')).toBe(profile40);
  });

  it('hold for the unchanged launch', async () => {
    expect(await contractHashes(vectors.case)).toEqual(vectors.expected);
  });

  it.each(vectors.mutations)('hold for the launch with $path = $value', async (mutation) => {
    expect(await contractHashes(withMutation(vectors.case, mutation))).toEqual(mutation.expected);
  });
});
