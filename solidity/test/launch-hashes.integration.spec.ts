/** The contracts' side of the hash vectors: the router's own library recomputes every hash of every case. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Address, Hex } from 'viem';
import { artifact } from './support/artifacts.js';
import { Chain } from './support/chain.js';
import { protocol } from './support/launch-hashes.js';
import { parseCase, permitOf, withMutation } from './support/launch-vectors.js';
import type { ExpectedHashes, LaunchCase, VectorFile } from './support/launch-vectors.js';
import { startTimeout } from './support/world.js';

const vectors = JSON.parse(
  readFileSync(new URL('../vectors/launch-hashes.json', import.meta.url), 'utf8'),
) as VectorFile;

let chain: Chain;
let harness: Address;
beforeAll(async () => {
  chain = await Chain.start();
  const [deployer] = await chain.rpc<[Address]>('eth_accounts');
  harness = await chain.deploy(deployer, artifact('LaunchHashHarness'));
}, startTimeout);
afterAll(() => chain?.close());

const ask = <T>(name: string, ...args: unknown[]) => chain.read<T>(harness, 'LaunchHashHarness', name, args);

async function contractHashes(input: LaunchCase, path?: string): Promise<ExpectedHashes> {
  const permit = permitOf(input, path);
  return {
    ...(await ask<Omit<ExpectedHashes, 'launchId' | 'permitDigest'>>('callHashes', input.call)),
    launchId: await ask<Hex>('launchId', protocol, input.chainId, input.router, permit.controller, permit.nonce),
    permitDigest: await ask<Hex>('permitDigest', input.chainId, input.router, permit),
  };
}

describe('launch hash vectors in the contracts', () => {
  it('hold for the unchanged launch', async () => {
    expect(await contractHashes(parseCase(vectors.case))).toEqual(vectors.expected);
  });

  it.each(vectors.mutations.map((m, i) => [i, m.path, m] as const))(
    'The contracts compute the hash vector %d: %s.',
    async (_, path, mutation) => {
      expect(await contractHashes(parseCase(withMutation(vectors.case, mutation)), path)).toEqual(mutation.expected);
    },
  );
});
