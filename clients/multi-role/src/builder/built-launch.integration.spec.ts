import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { REFERENCE_CASES, createRequestSchema, type CreateRequest, type ReferenceCase } from '@launch/contracts';
import { canonicalizeJson, parseStrictJson } from '@launch/contracts/json';
import type { Hex } from '@launch/evm';
import { keccak256 } from 'viem/utils';
import { buildBundles, readReference } from '../fixtures/bundle.fixture.js';
import { startLaunchChain, type LaunchChain } from '../fixtures/launch-chain.fixture.js';
import { inertConfigOf } from '../packer/inert-config.js';
import { packRequest } from '../packer/pack-request.js';
import { buildPackConfig } from './build-pack-config.js';

// Builds, mines and starts processes: on a busy machine that takes longer than a unit test may.
jest.setTimeout(120_000);

let chain: LaunchChain;
let context: LaunchChain['context'];
let wallet: Hex;

beforeAll(async () => {
  await buildBundles();
  chain = await startLaunchChain();
  ({ context, wallet } = chain);
});
afterAll(async () => chain?.stop());

async function buildAndPack(chosen: ReferenceCase, nonce: bigint, names: { name: string; symbol: string }): Promise<CreateRequest> {
  const now = await chain.now();
  const { config } = await buildPackConfig(inertConfigOf(readReference(), chosen), {
    context,
    wallet,
    nonce,
    validAfter: now,
    deadline: now + 3_000n,
    creatorRecipient: wallet,
    ...names,
    checkedAt: '2026-01-01T00:00:00.000Z',
    maxAttempts: 1 << 20,
  });
  return createRequestSchema.parse(parseStrictJson(packRequest(canonicalizeJson(config)).bytes));
}

describe('what the builder predicts, against a real EVM', () => {
  it.each([
    ['the reference names', { name: 'Native20 Reference', symbol: 'N20REF' }],
    ['a name of 31 bytes, the longest kept in code', { name: 'n'.repeat(31), symbol: 's' }],
    ['a name of 32 bytes, kept in storage', { name: 'n'.repeat(32), symbol: 's'.repeat(16) }],
    ['a name outside ASCII', { name: 'Größe 價格 🪙', symbol: '價格' }],
  ])('runtimes and addresses are those the creation code gives: %s', async (_title, names) => {
    const request = await buildAndPack('zero', 1n, names);
    const { accounts, components, children } = await chain.materialize(request);
    const [component] = request.graphBundle.components;
    const [child] = request.graphBundle.children;
    expect(accounts.map((account) => account.toLowerCase())).toEqual([component!.predictedAddress]);
    expect(components).toEqual([component!.expectedRuntimeCode]);
    expect(children.map((code) => keccak256(code))).toEqual([child!.runtimeCodeHash]);
  });

  it.each(REFERENCE_CASES)('the %s case launches through the router, permit and all', async (chosen) => {
    const request = await buildAndPack(chosen, chosen === 'buy' ? 21n : 20n, { name: 'Native20 Reference', symbol: 'N20REF' });
    await chain.launch(request);
    const token = request.graphBundle.components[0]!.predictedAddress;
    const balance = await chain.balanceOf(token, wallet);
    const minimum = BigInt(request.fundingPlan.minimumTokensOut);
    expect(balance >= minimum).toBe(true);
    // The published minimum is a real bound: within a tenth of what comes out.
    expect(balance * 9n <= minimum * 10n).toBe(true);
  });
});
