import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { canonicalizeJson, parseStrictJson } from '@launch/contracts/json';
import {
  REFERENCE_CASES,
  createRequestSchema,
  type CreateRequest,
  type ReferenceCase,
} from '@launch/contracts/multi-role';
import type { Hex } from '@launch/evm';
import { keccak256 } from 'viem/utils';
import { buildBundles, readReference } from '../fixtures/bundle.fixture.js';
import { startLaunchChain, type LaunchChain } from '../fixtures/launch-chain.fixture.js';
import { native20Numbers, withNative20Numbers } from '../numbers/native20-numbers.js';
import { inertConfigOf } from '../packer/inert-config.js';
import { packRequest } from '../packer/pack-request.js';
import { buildPackConfig } from './build-pack-config.js';

// Builds, mines and starts processes, which exceeds a unit test's timeout on a busy machine.
jest.setTimeout(180_000);

let chain: LaunchChain;
let context: LaunchChain['context'];
let wallet: Hex;

beforeAll(async () => {
  await buildBundles();
  chain = await startLaunchChain();
  ({ context, wallet } = chain);
});
afterAll(async () => chain?.stop());

async function buildAndPack(
  chosen: ReferenceCase,
  nonce: bigint,
  names: { name: string; symbol: string },
  inert = inertConfigOf(readReference(), chosen),
  minimumTokensOut?: string,
): Promise<CreateRequest> {
  const now = await chain.now();
  const { config } = await buildPackConfig(inert, {
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
  const edited =
    minimumTokensOut === undefined ? config : { ...config, fundingPlan: { ...config.fundingPlan, minimumTokensOut } };
  return createRequestSchema.parse(parseStrictJson(packRequest(canonicalizeJson(edited)).bytes));
}

describe("the builder's prediction, against a real EVM,", () => {
  it.each([
    ['the reference names', { name: 'Native20 Reference', symbol: 'N20REF' }],
    ['a name of 31 bytes, the longest kept in code', { name: 'n'.repeat(31), symbol: 's' }],
    ['a name of 32 bytes, kept in storage', { name: 'n'.repeat(32), symbol: 's'.repeat(16) }],
    ['a name outside ASCII', { name: 'Größe 價格 🪙', symbol: '價格' }],
  ])('has the runtimes and addresses that the creation code gives: %s', async (_title, names) => {
    const request = await buildAndPack('zero', 1n, names);
    const { accounts, components, children } = await chain.materialize(request);
    const [component] = request.graphBundle.components;
    const [child] = request.graphBundle.children;
    expect(accounts.map((account) => account.toLowerCase())).toEqual([component!.predictedAddress]);
    expect(components).toEqual([component!.expectedRuntimeCode]);
    expect(children.map((code) => keccak256(code))).toEqual([child!.runtimeCodeHash]);
  });

  it.each(REFERENCE_CASES)('lets the %s case launch through the router with its permit', async (chosen) => {
    const request = await buildAndPack(chosen, chosen === 'buy' ? 21n : 20n, {
      name: 'Native20 Reference',
      symbol: 'N20REF',
    });
    await chain.launch(request);
    const token = request.graphBundle.components[0]!.predictedAddress;
    const balance = await chain.balanceOf(token, wallet);
    const minimum = BigInt(request.fundingPlan.minimumTokensOut);
    expect(balance >= minimum).toBe(true);
    // The published minimum is a real bound: within a tenth of the result.
    expect(balance * 9n <= minimum * 10n).toBe(true);
  });

  it.each([
    ["the reference's supply and fees", 22n, {}, 10n ** 16n, 0],
    [
      '21 million tokens and 10 % of fees',
      23n,
      { supply: (21_000_000n * 10n ** 18n).toString(), creatorBuyFeeBps: 1_000 },
      123_456_789_012_345_678n,
      0,
    ],
    [
      'a supply that the purchase nearly empties',
      24n,
      { supply: (10n ** 24n).toString(), tickLower: 120_000, creatorBuyFeeBps: 7 },
      24n * 10n ** 16n,
      33,
    ],
  ])('states the exact result of a purchase, to the unit: %s', async (_what, nonce, parameters, buy, slippageBps) => {
    const reference = inertConfigOf(readReference(), 'buy');
    const chosen = {
      ...reference,
      project: { ...reference.project, parameters: { ...reference.project.parameters, ...parameters } },
      funding: { totalValueWei: buy.toString(), plan: { ...reference.funding.plan, initialBuyWei: buy.toString() } },
    };
    const numbers = native20Numbers(chosen, { supplyRaw: null, slippageBps });
    const request = await buildAndPack(
      'buy',
      nonce,
      { name: 'Native20 Reference', symbol: 'N20REF' },
      withNative20Numbers(chosen, numbers),
    );
    await chain.launch(request);
    const token = request.graphBundle.components[0]!.predictedAddress;
    const { poolManager } = context.chainBindings;
    expect({
      bought: (await chain.balanceOf(token, wallet)).toString(),
      position: (await chain.balanceOf(token, poolManager)).toString(),
      residue: (await chain.balanceOf(token, token)).toString(),
    }).toEqual({
      bought: numbers.purchase!.tokensOut.raw,
      position: numbers.locked.position.raw,
      residue: numbers.locked.residue.raw,
    });
  });

  it('refuses a minimum of one unit more, which reverts on the chain', async () => {
    const inert = inertConfigOf(readReference(), 'buy');
    const most = BigInt(native20Numbers(inert).purchase!.tokensOut.raw);
    const names = { name: 'Native20 Reference', symbol: 'N20REF' };
    await expect(chain.launch(await buildAndPack('buy', 25n, names, inert, (most + 1n).toString()))).rejects.toThrow(
      'the transaction reverted',
    );
    await chain.launch(await buildAndPack('buy', 25n, names, inert, most.toString()));
  });
});
