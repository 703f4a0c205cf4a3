/** Launches and plans through router V1, whole: what is stamped and announced, and that the pool then trades. */
import {
  LAUNCH_MODES,
  NATIVE20_SEED_POOL,
  NATIVE20_SEED_TEMPLATE_SET,
  PROFILE_WORDS,
  compareGettersV1,
  compareStampV1,
  decodeInitializerArguments,
  decodeInventoryHookArguments,
  feeVaultImmutables,
  fillRuntime,
  initializerImmutables,
  inventoryHookImmutables,
  inventoryTemplates,
} from '@launch/evm';
import type { ObservedGettersV1, StampFields } from '@launch/evm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  bytesToHex,
  concat,
  encodeAbiParameters,
  keccak256,
  parseAbiParameters,
  parseEther,
  size,
  slice,
  toHex,
} from 'viem';
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { artifact } from './support/artifacts.js';
import type { Receipt, Transaction } from './support/chain.js';
import { graphV1, routerV1Name, signV1, startWorldV1 } from './support/router-v1.js';
import type { Graph, Signed, WorldV1 } from './support/router-v1.js';
import { trade } from './support/trading.js';
import { encodeCall, eventsOf, inSnapshot, startTimeout } from './support/world.js';

/** A wallet that batches: its key, and by EIP-7702 the code of a batching account. */
const wallet = privateKeyToAccount(`0x${'c3'.repeat(32)}`);

let world: WorldV1;
let graph: Graph;
beforeAll(async () => {
  world = await startWorldV1();
  graph = await graphV1(world);
}, startTimeout);
afterAll(() => world?.chain.close());

const getter = <T>(name: string, ...args: unknown[]) => world.chain.read<T>(world.routerV1, routerV1Name, name, args);
const routerEvents = (receipt: Receipt) => eventsOf(receipt, routerV1Name, world.routerV1).map((e) => e.eventName);
const logsOf = (receipt: Receipt) =>
  receipt.logs.map((log, logIndex) => ({ address: log.address, topics: log.topics, data: log.data, logIndex }));

async function observedGetters({ expected, permit }: Signed): Promise<ObservedGettersV1> {
  const { launchId, stamp } = expected;
  const names = ['kind', 'token', 'hook', 'poolManager', 'poolId', 'routeLauncher', 'routePayloadHash'] as const;
  const words = await getter<(string | number)[]>('launchStamp', launchId);
  const launchStamp = Object.fromEntries(
    [...names, 'componentSetHash', 'stampHash'].map((name, i) => [name, words[i]]),
  ) as unknown as StampFields & { stampHash: Hex };
  return {
    nonceUsed: await getter('nonceUsed', permit.controller, permit.nonce),
    permitUsed: await getter('permitUsed', expected.permitDigest),
    launchStamp,
    stampProof: await getter('stampProof', launchId),
    launchIdByToken: await getter('launchIdByToken', stamp.token),
    launchIdByPool: await getter('launchIdByPool', stamp.poolId),
    components: await Promise.all(
      expected.components.map(async ({ account }) => ({
        launchIdByComponent: await getter<Hex>('launchIdByComponent', account),
        componentRuntimeCodeHash: await getter<Hex>('componentRuntimeCodeHash', account),
      })),
    ),
  };
}

/** Events, getters and code match the signed request; nothing is kept; and any account can trade in the pool. */
async function expectLaunched(launched: Graph, signed: Signed, receipt: Receipt) {
  const { expected } = signed;
  expect(compareStampV1(world.routerV1, logsOf(receipt), expected)).toMatchObject({ verdict: 'pass' });
  expect(compareGettersV1(await observedGetters(signed), expected)).toEqual([]);
  for (const { account, runtimeCodeHash } of expected.components)
    expect(keccak256(await world.chain.code(account))).toBe(runtimeCodeHash);
  for (const { account } of signed.call.externals)
    expect(await getter('launchIdByComponent', account)).toMatch(/^0x0+$/);

  const bought = await world.chain.read<bigint>(launched.token, 'InventoryToken', 'balanceOf', [
    signed.permit.controller,
  ]);
  expect(bought > 0n).toBe(signed.call.initialBuyWei > 0n);
  expect(await world.chain.balance(world.poolManager)).toBe(signed.call.initialBuyWei);
  expect(await world.chain.balance(world.routerV1)).toBe(0n);

  const plan = launched as never;
  await trade(world, plan, 'buy', 'exactIn', parseEther('1'));
  await trade(world, plan, 'sell', 'exactIn', 10n ** 20n);
}

const stampedEvents = [
  'ServiceLaunchRouteStampedV1',
  ...Array<string>(4).fill('ServiceComponentStampedV1'),
  'ServiceLaunchStampedV1',
];

describe('The router', () => {
  it('fits into Ethereum’s code limit and names its chain', async () => {
    expect(size(await world.chain.code(world.routerV1))).toBeLessThanOrEqual(24_576);
    expect(size(artifact(routerV1Name).creationCode)).toBeLessThanOrEqual(49_152);
    expect(await getter('CHAIN_ID')).toBe(4663n);
  });

  it('publishes its EIP-712 domain by ERC-5267, and that domain has its separator', async () => {
    const [fields, name, version, chainId, router, salt, extensions] =
      await getter<[Hex, string, string, bigint, string, Hex, unknown[]]>('eip712Domain');
    expect([fields, name, version, chainId, router.toLowerCase()]).toEqual([
      '0x0f',
      'Service Launch Router',
      '1',
      4663n,
      world.routerV1,
    ]);
    expect([salt, extensions]).toEqual([`0x${'00'.repeat(32)}`, []]);
    const word = (text: string) => keccak256(toHex(text));
    const separator = encodeAbiParameters(parseAbiParameters('bytes32, bytes32, bytes32, uint256, address'), [
      word('EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)'),
      word(name),
      word(version),
      chainId,
      world.routerV1,
    ]);
    expect(await getter('domainSeparator')).toBe(keccak256(separator));
  });
});

describe('A custom launch', () => {
  it('executes in one call with its buy, is stamped as route, components and launch, and trades', () =>
    inSnapshot(world.chain, async () => {
      const signed = await signV1(world, graph);
      const receipt = await world.chain.send(signed.launch);
      expect(routerEvents(receipt)).toEqual(stampedEvents);
      await expectLaunched(graph, signed, receipt);
    }));

  it('of profile 4.0 succeeds without a buy, and moves no ether', () =>
    inSnapshot(world.chain, async () => {
      const signed = await signV1(world, graph, {
        call: { initialBuyWei: 0n, minimumTokensOut: 0n },
        permit: { profile: PROFILE_WORDS['4.0'] },
      });
      await expectLaunched(graph, signed, await world.chain.send(signed.launch));
    }));

  it('succeeds beside forced ether, which stays on the router', () =>
    inSnapshot(world.chain, async () => {
      await world.chain.deploy(world.stranger, artifact('Forcer'), [world.routerV1], 12_345n);
      await world.chain.send((await signV1(world, graph)).launch);
      expect(await world.chain.balance(world.routerV1)).toBe(12_345n);
    }));
});

describe('The recipe native20-seed@1', () => {
  it('describes the contracts of a custom launch as reviewed templates, filled with the constructor arguments and router V1', () =>
    inSnapshot(world.chain, async () => {
      const signed = await signV1(world, graph);
      await world.chain.send(signed.launch);
      const templates = inventoryTemplates(NATIVE20_SEED_TEMPLATE_SET);
      const given = [templates.initializer, templates.token, templates.hook].map((template, i) => {
        const { initCode } = graph.call.components[i]!;
        expect(keccak256(slice(initCode, 0, template.creationCodeLength))).toBe(template.creationCodeHash);
        return slice(initCode, template.creationCodeLength);
      });
      const initializer = decodeInitializerArguments(templates.initializer, given[0]!)!;
      const hook = decodeInventoryHookArguments(templates.hook, given[2]!)!;
      expect([initializer.router, hook.config.router]).toEqual([world.routerV1, world.routerV1]);
      expect(graph.poolKey).toMatchObject({ ...NATIVE20_SEED_POOL, tickSpacing: hook.tickSpacing });
      const place = { vault: graph.vault, poolId: signed.expected.stamp.poolId };
      const runtimes = [
        fillRuntime(templates.initializer, initializerImmutables(initializer)),
        fillRuntime(templates.token, {}),
        fillRuntime(templates.hook, inventoryHookImmutables(hook, place)),
        fillRuntime(templates.vault, feeVaultImmutables(hook.config, graph.hook)),
      ];
      for (const [i, { account }] of signed.expected.components.entries())
        expect(await world.chain.code(account)).toBe(bytesToHex(runtimes[i]!));
    }));
});

describe('A sequential plan', () => {
  it('deploys one component per transaction, then registers under the same permit, and trades', () =>
    inSnapshot(world.chain, async () => {
      const signed = await signV1(world, graph, { mode: LAUNCH_MODES.sequential });
      for (const [ordinal, deploy] of signed.deploys.entries()) {
        const receipt = await world.chain.send(deploy);
        expect(eventsOf(receipt, routerV1Name, world.routerV1).map((e) => [e.eventName, e.args])).toEqual([
          [
            'PlanComponentDeployedV1',
            {
              permitDigest: signed.expected.permitDigest,
              ordinal,
              component: expect.stringMatching(new RegExp(graph.parts[ordinal]!.account, 'i')),
            },
          ],
        ]);
        expect(await getter('permitUsed', signed.expected.permitDigest)).toBe(false);
        expect(await getter('launchIdByComponent', graph.parts[ordinal]!.account)).toMatch(/^0x0+$/);
        expect(await getter('planProgress', signed.expected.permitDigest)).toMatchObject([
          ordinal + 1,
          expect.anything(),
        ]);
      }
      const receipt = await world.chain.send(signed.register);
      expect(routerEvents(receipt)).toEqual(stampedEvents);
      await expectLaunched(graph, signed, receipt);
      expect(await world.chain.refusal(signed.register)).toEqual(['NonceUsed']);
      expect(await world.chain.refusal(signed.deploys[0]!)).toEqual(['NonceUsed']);
    }));

  it('registers without creation codes, so that its last step is shorter than the launch by all of them', async () => {
    const plan = await signV1(world, graph, { mode: LAUNCH_MODES.sequential });
    const whole = await signV1(world, graph);
    const codes = graph.call.components.reduce((sum, { initCode }) => sum + size(initCode), 0);
    expect(size(whole.launch.data!) - size(plan.register.data!)).toBeGreaterThanOrEqual(codes);
    for (const deploy of plan.deploys) expect(size(deploy.data!)).toBeLessThan(size(whole.launch.data!));
  });
});

describe('An atomic plan of a wallet that batches (EIP-7702)', () => {
  let account: `0x${string}`;
  let batching: Graph;
  beforeAll(async () => {
    account = await world.chain.deploy(world.owner, artifact('devnet/BatchAccount'));
    await world.chain.rpc('anvil_setBalance', wallet.address, toHex(parseEther('10')));
    batching = await graphV1(world, { controller: wallet.address.toLowerCase() as Hex, name: 'Batched' });
  }, startTimeout);

  const callsOf = (txs: Transaction[]) => txs.map(({ to, value, data }) => ({ to: to!, value: value!, data: data! }));

  /** `wallet_sendCalls` as such a wallet carries it out: one transaction to itself, its code set along with it. */
  async function sendCalls(txs: Transaction[], from = wallet): Promise<Hex> {
    const nonce = Number(await world.chain.rpc<Hex>('eth_getTransactionCount', from.address, 'latest'));
    const calls = encodeAbiParameters(parseAbiParameters('(address to, uint256 value, bytes data)[]'), [callsOf(txs)]);
    return from.signTransaction({
      type: 'eip7702',
      chainId: 4663,
      nonce,
      to: from.address,
      gas: 20_000_000n,
      maxFeePerGas: 10n ** 10n,
      maxPriorityFeePerGas: 0n,
      authorizationList: [await from.signAuthorization({ contractAddress: account, chainId: 4663, nonce: nonce + 1 })],
      data: encodeCall('devnet/BatchAccount', 'execute', [concat(['0x01', `0x${'00'.repeat(31)}`]), calls]),
    });
  }

  it('executes in one transaction, is stamped under its permit with the wallet as launcher, and trades', () =>
    inSnapshot(world.chain, async () => {
      const signed = await signV1(world, batching, { mode: LAUNCH_MODES.atomic });
      const receipt = await world.chain.submitRaw(await sendCalls([...signed.deploys, signed.register]));
      expect(receipt.status).toBe('0x1');
      expect(routerEvents(receipt)).toEqual([...Array<string>(3).fill('PlanComponentDeployedV1'), ...stampedEvents]);
      await expectLaunched(batching, signed, receipt);
    }));

  it('cannot be executed step by step, since a later step is refused once time has passed', () =>
    inSnapshot(world.chain, async () => {
      await world.chain.rpc('anvil_impersonateAccount', wallet.address);
      const signed = await signV1(world, batching, { mode: LAUNCH_MODES.atomic });
      await world.chain.send(signed.deploys[0]!);
      await world.chain.rpc('evm_increaseTime', 1);
      await world.chain.rpc('evm_mine');
      expect(await world.chain.refusal(signed.deploys[1]!)).toEqual(['AtomicStepsApart']);
    }));

  it('leaves nothing behind when one of its calls fails', () =>
    inSnapshot(world.chain, async () => {
      const signed = await signV1(world, batching, { mode: LAUNCH_MODES.atomic });
      const receipt = await world.chain.submitRaw(await sendCalls([...signed.deploys.slice(0, 2), signed.register]));
      expect(receipt.status).toBe('0x0');
      expect(await world.chain.code(batching.parts[0]!.account)).toBe('0x');
      expect(await getter('planProgress', signed.expected.permitDigest)).toEqual([0, 0n]);
    }));

  it('serves its own wallet only, and in the plain mode only', () =>
    inSnapshot(world.chain, async () => {
      await world.chain.submitRaw(await sendCalls([]));
      const to = wallet.address;
      const plain = concat(['0x01', `0x${'00'.repeat(31)}`]);
      const execute = (mode: Hex, body: Hex) => encodeCall('devnet/BatchAccount', 'execute', [mode, body]);
      const failing = encodeAbiParameters(parseAbiParameters('(address to, uint256 value, bytes data)[]'), [
        [{ to: world.routerV1, value: 0n, data: '0x12345678' }],
      ]);
      expect(await world.chain.refusal({ from: world.stranger, to, data: execute(plain, failing) })).toEqual([
        'NotThisAccount',
      ]);
      expect(await world.chain.refusal({ from: to, to, data: execute(`0x${'00'.repeat(32)}`, failing) })).toEqual([
        'ModeUnsupported',
      ]);
      expect(await world.chain.refusal({ from: to, to, data: execute(plain, failing) })).toEqual([
        'BatchCallFailed',
        '',
      ]);
    }));
});
