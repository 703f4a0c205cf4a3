import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { REFERENCE_CASES, createRequestSchema, type CreateRequest, type ReferenceCase } from '@launch/contracts';
import { canonicalizeJson, parseStrictJson } from '@launch/contracts/json';
import { encodeLaunchCalldata, launchCallOf, launchPermitOf, permitTypedData, recogniseEconomics, ROUTER_V2_ABI, type Hex } from '@launch/evm';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { decodeFunctionResult, encodeDeployData, encodeFunctionData, keccak256, type Abi } from 'viem/utils';
import { send, startAnvil, type Anvil } from '../fixtures/anvil.fixture.js';
import { buildBundles, readReference, REPOSITORY } from '../fixtures/bundle.fixture.js';
import { fixtureContext } from '../fixtures/launch-context.fixture.js';
import { inertConfigOf } from '../packer/inert-config.js';
import { packRequest } from '../packer/pack-request.js';
import { buildPackConfig } from './build-pack-config.js';

// Builds, mines and starts processes: on a busy machine that takes longer than a unit test may.
jest.setTimeout(120_000);

interface Artifact {
  readonly abi: Abi;
  readonly creationCode: Hex;
  readonly runtimeCode: Hex;
}
const artifact = (name: string): Artifact => JSON.parse(readFileSync(join(REPOSITORY, `solidity/artifacts/${name}.json`), 'utf8')) as Artifact;

const authority = privateKeyToAccount(generatePrivateKey());
let anvil: Anvil;
let context: ReturnType<typeof fixtureContext>;
let wallet: Hex;

beforeAll(async () => {
  await buildBundles();
  anvil = await startAnvil();
  const [owner, platform, controller] = await anvil.rpc<Hex[]>('eth_accounts');
  wallet = controller!;
  const deploy = async (name: string, args: unknown[]): Promise<Hex> => {
    const { abi, creationCode } = artifact(name);
    const { contractAddress } = await send(anvil, { from: owner!, data: encodeDeployData({ abi, bytecode: creationCode, args }) });
    return contractAddress;
  };
  const codeHash = async (account: Hex): Promise<Hex> => keccak256(await anvil.rpc<Hex>('eth_getCode', account, 'latest'));
  const poolManager = await deploy('PoolManager', [owner]);
  const router = await deploy('MultiRoleLaunchStampRouterV2', [poolManager, owner]);
  const data = encodeFunctionData({ abi: artifact('MultiRoleLaunchStampRouterV2').abi, functionName: 'setAuthority', args: [authority.address, 0n, 2n ** 63n] });
  expect((await send(anvil, { from: owner!, to: router, data })).status).toBe('0x1');
  context = fixtureContext({
    router,
    routerCodeHash: await codeHash(router),
    poolManager,
    poolManagerCodeHash: await codeHash(poolManager),
    platformFeeRecipient: platform!,
    permitAuthority: authority.address.toLowerCase(),
  });
});
afterAll(async () => anvil?.stop());

async function buildAndPack(chosen: ReferenceCase, nonce: bigint, names: { name: string; symbol: string }): Promise<CreateRequest> {
  const { timestamp } = await anvil.rpc<{ timestamp: Hex }>('eth_getBlockByNumber', 'latest', false);
  const now = BigInt(timestamp);
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

/** Runs the creation codes as CREATE2 from the router's own address, without deploying anything. */
async function materialize({ graphBundle }: CreateRequest): Promise<{ accounts: Hex[]; components: Hex[]; children: Hex[] }> {
  const { abi, runtimeCode } = artifact('Materializer');
  const { router } = context.chainBindings;
  const salts = graphBundle.components.map(({ salt }) => salt);
  const initCodes = graphBundle.components.map(({ creationBytecode, constructorArgs }) => creationBytecode + constructorArgs.slice(2));
  const data = encodeFunctionData({ abi, functionName: 'materialize', args: [salts, initCodes, graphBundle.children.map(({ account }) => account)] });
  const answer = await anvil.rpc<Hex>('eth_call', { to: router, data, gas: '0x1c9c380' }, 'latest', { [router]: { code: runtimeCode } });
  const [accounts, components, children] = decodeFunctionResult({ abi, functionName: 'materialize', data: answer }) as [Hex[], Hex[], Hex[]];
  return { accounts, components, children };
}

describe('what the builder predicts, against a real EVM', () => {
  it.each([
    ['the reference names', { name: 'Native20 Reference', symbol: 'N20REF' }],
    ['a name of 31 bytes, the longest kept in code', { name: 'n'.repeat(31), symbol: 's' }],
    ['a name of 32 bytes, kept in storage', { name: 'n'.repeat(32), symbol: 's'.repeat(16) }],
    ['a name outside ASCII', { name: 'Größe 價格 🪙', symbol: '價格' }],
  ])('runtimes and addresses are those the creation code gives: %s', async (_title, names) => {
    const request = await buildAndPack('zero', 1n, names);
    const { accounts, components, children } = await materialize(request);
    const [component] = request.graphBundle.components;
    const [child] = request.graphBundle.children;
    expect(accounts.map((account) => account.toLowerCase())).toEqual([component!.predictedAddress]);
    expect(components).toEqual([component!.expectedRuntimeCode]);
    expect(children.map((code) => keccak256(code))).toEqual([child!.runtimeCodeHash]);
  });

  it.each(REFERENCE_CASES)('the %s case launches through the router, permit and all', async (chosen) => {
    const request = await buildAndPack(chosen, chosen === 'buy' ? 21n : 20n, { name: 'Native20 Reference', symbol: 'N20REF' });
    const recognised = recogniseEconomics(request);
    if (recognised.kind !== 'recognised') throw new Error('the reference is not recognised');
    const permit = launchPermitOf(request, { requestHash: keccak256(canonicalizeJson(request)), economicsHash: recognised.economicsHash });
    const { router } = context.chainBindings;
    const signature = await authority.signTypedData(permitTypedData({ chainId: 4663n, router: router as Hex }, permit));
    const data = encodeLaunchCalldata({ call: launchCallOf(request), permit, signature });
    const receipt = await send(anvil, { from: wallet, to: router, data, value: permit.value });
    expect(receipt.status).toBe('0x1');

    const used = await anvil.rpc<Hex>('eth_call', { to: router, data: encodeFunctionData({ abi: ROUTER_V2_ABI, functionName: 'nonceUsed', args: [wallet, permit.nonce] }) }, 'latest');
    expect(BigInt(used)).toBe(1n);
    const token = request.graphBundle.components[0]!.predictedAddress;
    const { abi } = artifact('Native20');
    const balance = await anvil.rpc<Hex>('eth_call', { to: token, data: encodeFunctionData({ abi, functionName: 'balanceOf', args: [wallet] }) }, 'latest');
    const minimum = BigInt(request.fundingPlan.minimumTokensOut);
    expect(BigInt(balance) >= minimum).toBe(true);
    // The published minimum is a real bound: within a tenth of what comes out.
    expect(BigInt(balance) * 9n <= minimum * 10n).toBe(true);
  });
});
