/** Ethereum's graph launches: the router stamps them with kind 2, by the wallet's account, and nothing else makes one. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeDeployData, getAddress, parseEther, toEventSelector, toHex, zeroHash } from 'viem';
import type { Abi, Address, Hex } from 'viem';
import { COMPONENT_KINDS, LAUNCH_KINDS, onchainLaunchIdV1 } from '@launch/evm';
import { GRAPH_FACTORY_ABIS, type Verdict } from '@launch/evm/sources';
import { artifact } from './support/artifacts.js';
import type { Receipt } from './support/chain.js';
import {
  accountOf,
  encodedRecipe,
  graphFactoryName,
  graphRecipe,
  graphRouterName,
  openAccountTx,
  signGraph,
  startGraphWorld,
  type GraphOptions,
  type GraphWorld,
  type SignedGraph,
} from './support/graph-launch.js';
import { judgeReceiptOf } from './support/native-launch.js';
import { encodeCall, eventsOf, impostor, inSnapshot, startTimeout, type World } from './support/world.js';

let world: GraphWorld;
beforeAll(async () => {
  world = await startGraphWorld();
}, startTimeout);
afterAll(() => world?.chain.close());

const lower = (address: unknown): string => String(address).toLowerCase();
const stampedIn = (receipt: Receipt) => eventsOf(receipt, graphRouterName, world.router);

/** Returns the launches of a receipt, as an indexer that is bound to the router reads them. */
const judged = (receipt: Receipt, router = world.router): Promise<Verdict[]> =>
  judgeReceiptOf(world as unknown as World, 'ethereum-custom-v1', router, receipt, {
    chainId: 1,
    contracts: { poolManager: { address: world.poolManager, runtimeCodeHash: zeroHash } },
  });

async function launched(options: GraphOptions = {}): Promise<SignedGraph & { receipt: Receipt }> {
  const signed = await signGraph(world, options);
  return { ...signed, receipt: await world.chain.send(signed.tx) };
}

const refusal = async (options: GraphOptions): Promise<string[]> =>
  world.chain.refusal((await signGraph(world, options)).tx);

it.each(['V1', 'V2'] as const)(
  'The published ABI of graph factory %s equals that of its compiled contract.',
  (version) => {
    const { abi } = artifact(graphFactoryName(version));
    const called = abi.filter(({ type }) => type !== 'constructor');
    expect(signaturesOf(GRAPH_FACTORY_ABIS[version])).toEqual(signaturesOf(called));
  },
);

/** Returns the items of an ABI in one order, without the compiler's own annotations. */
function signaturesOf(abi: Abi): readonly string[] {
  const isSaid = (name: string, value: unknown) =>
    !['internalType', 'anonymous'].includes(name) && !(name === 'name' && value === '') && value !== false;
  const sorted = (value: unknown): unknown =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value;
  return abi
    .map((item) => JSON.stringify(item, (name, value: unknown) => (isSaid(name, value) ? sorted(value) : undefined)))
    .sort();
}

describe('A graph launch', () => {
  it.each(['V1', 'V2'] as const)(
    'of factory %s is stamped with kind 2 by the wallet’s account, and found',
    async (version) => {
      const value = parseEther('0.5');
      const { receipt, account, permit } = await launched({ version, value });
      const events = stampedIn(receipt);
      expect(events.map(({ eventName }) => eventName)).toEqual([
        'ServiceLaunchRouteStampedV1',
        'ServiceComponentStampedV1',
        'ServiceComponentStampedV1',
        'ServiceComponentStampedV1',
        'ServiceLaunchStampedV1',
      ]);
      const launchId = onchainLaunchIdV1({ chainId: 1n, router: world.router }, permit.controller, permit.nonce);
      expect(events[0]!.args).toMatchObject({
        launchId,
        kind: LAUNCH_KINDS.foundationGraph,
        routePayloadHash: permit.callHash,
      });
      expect(events.slice(1, 4).map(({ args }) => args['kind'])).toEqual([
        COMPONENT_KINDS.token,
        COMPONENT_KINDS.hook,
        COMPONENT_KINDS.vault,
      ]);
      const { token, hook, poolId } = events[4]!.args as { token: Address; hook: Address; poolId: Hex };
      const stamp = await world.chain.read<readonly unknown[]>(world.router, graphRouterName, 'launchStamp', [
        launchId,
      ]);
      expect(stamp.slice(0, 6)).toEqual([
        LAUNCH_KINDS.foundationGraph,
        token,
        hook,
        getAddress(world.poolManager),
        poolId,
        account,
      ]);
      expect(await judged(receipt)).toEqual([
        {
          kind: 'pass',
          launch: expect.objectContaining({
            record: expect.objectContaining({
              launchKind: LAUNCH_KINDS.foundationGraph,
              tokenAddress: lower(token),
              hookAddress: lower(hook),
              poolId,
              creator: lower(account),
              routerAddress: world.router,
              name: 'Graph Token',
            }),
            metadata: expect.objectContaining({
              status: 'ok',
              description: 'a coin of a graph',
              imageUrl: 'ipfs://coin',
              website: 'https://example.org/',
            }),
          }),
        },
      ]);
      const holding = (holder: Address) => world.chain.read<bigint>(token, 'FoundationToken', 'balanceOf', [holder]);
      expect(await holding(permit.controller)).toBeGreaterThan(0n);
      expect(await holding(account)).toBe(0n);
    },
  );

  it('trades, and pays the creator’s fees to the wallet for every claimer', async () => {
    const { receipt, account, permit } = await launched();
    const { token, hook } = stampedIn(receipt)[4]!.args as { token: Address; hook: Address };
    const ledger = await world.chain.read<Address>(hook, 'FoundationHookV3', 'ledger');
    const poolKey = { currency0: `0x${'0'.repeat(40)}`, currency1: token, fee: 0, tickSpacing: 60, hooks: hook };
    const swap = { zeroForOne: true, amountSpecified: -parseEther('1'), sqrtPriceLimitX96: 4_295_128_740n };
    const { stranger, trader } = world;
    await world.chain.send({ from: stranger, to: trader, data: encodeCall('Trader', 'swap', [poolKey, swap]) });
    expect(await world.chain.read<bigint>(ledger, 'FoundationLedger', 'owed', [account])).toBe(parseEther('0.02'));
    const balance = async () => BigInt(await world.chain.rpc<Hex>('eth_getBalance', permit.controller, 'latest'));
    const before = await balance();
    const data = encodeCall('FoundationLaunchAccount', 'claim', [ledger]);
    await world.chain.send({ from: stranger, to: account, data });
    expect((await balance()) - before).toBe(parseEther('0.02'));
  });

  it('keeps modules in the hook, and stamps none of them', async () => {
    const module = { packageId: zeroHash, familyId: zeroHash, instance: world.note, configuration: '0x01' } as const;
    const [first, second] = [
      await launched({ recipe: { modules: [module] } }),
      await launched({ recipe: { modules: [module] } }),
    ];
    for (const { receipt } of [first, second]) {
      const components = stampedIn(receipt).filter(({ eventName }) => eventName === 'ServiceComponentStampedV1');
      expect(components.map(({ args }) => lower(args['component']))).not.toContain(world.note);
      expect((await judged(receipt)).map(({ kind }) => kind)).toEqual(['pass']);
    }
  });

  it('opens the account in the launch if it is not open yet', async () => {
    const { chain, platform } = world;
    const signed = await inSnapshot(chain, () => signGraph(world, { controller: platform }));
    expect(await chain.code(signed.account)).toBe('0x');
    // The snapshot's blocks were later than the present ones.
    await chain.rpc('evm_setNextBlockTimestamp', toHex(signed.permit.validAfter + 1n));
    const receipt = await chain.send(signed.tx);
    expect(eventsOf(receipt, graphFactoryName('V2'), world.factories.V2)[0]!.args).toEqual({
      wallet: getAddress(platform),
      account: signed.account,
    });
    expect((await judged(receipt)).map(({ kind }) => kind)).toEqual(['pass']);
    const again = await chain.send(openAccountTx(world, 'V2', platform));
    expect(eventsOf(again, graphFactoryName('V2'), world.factories.V2)).toEqual([]);
  });
});

describe('A call that the router did not make', () => {
  it('launches an unstamped coin at V1, which nothing finds', async () => {
    const { controller, factories, chain } = world;
    const data = encodeCall(graphFactoryName('V1'), 'launch', [graphRecipe(world, 'V1', controller)]);
    const receipt = await chain.send({ from: controller, to: factories.V1, data });
    const [made] = eventsOf(receipt, graphFactoryName('V1'), factories.V1);
    expect(made!.eventName).toBe('FoundationGraphLaunched');
    expect(stampedIn(receipt)).toEqual([]);
    expect(await judged(receipt)).toEqual([]);
    expect(await chain.read(world.router, graphRouterName, 'launchIdByToken', [made!.args['token']])).toBe(zeroHash);
  });

  it('reverts at V2 when it comes from a wallet, a stranger’s contract or the account itself', async () => {
    const { chain, controller, factories, note } = world;
    const recipe = graphRecipe(world, 'V2', controller);
    const data = encodeCall(graphFactoryName('V2'), 'launch', [recipe]);
    for (const from of [controller, note])
      expect(await chain.refusal({ from, to: factories.V2, data })).toEqual(['NotLaunchAccount']);
    await chain.send(openAccountTx(world, 'V2', controller));
    const account = await accountOf(world, 'V2', controller);
    const asked = encodeCall('FoundationLaunchAccount', 'launch', [encodedRecipe(recipe)]);
    expect(await chain.refusal({ from: controller, to: account, data: asked })).toEqual(['NotRouter']);
  });

  it('reverts at V2 for an account of another factory, and for a contract that names the wallet of an account', async () => {
    const { chain, controller, factories } = world;
    await chain.send(openAccountTx(world, 'V1', controller));
    const others = await accountOf(world, 'V1', controller);
    const data = encodeCall(graphFactoryName('V2'), 'launch', [graphRecipe(world, 'V2', others)]);
    expect(await chain.refusal({ from: others, to: factories.V2, data })).toEqual(['NotLaunchAccount']);
    const own = await accountOf(world, 'V2', controller);
    const code = await chain.code(own);
    const state = { [world.stranger]: { code } };
    expect(await chain.refusal({ from: world.stranger, to: factories.V2, data }, { state })).toEqual([
      'NotLaunchAccount',
    ]);
  });
});

describe('A permit for a graph', () => {
  it.each([
    ['another mode', { permit: { mode: 1 } }, 'WrongMode'],
    ['another profile', { permit: { profile: zeroHash } }, 'WrongProfile'],
    ['another account’s graph', { permit: { graphHash: zeroHash } }, 'GraphHashMismatch'],
    ['another pool or price', { permit: { poolHash: zeroHash } }, 'PoolHashMismatch'],
    ['other steps', { permit: { stepsHash: zeroHash } }, 'StepsHashMismatch'],
    ['another call', { sentCall: { recipe: '0x' as Hex } }, 'CallHashMismatch'],
    ['another value', { sentValue: 1n }, 'WrongValue'],
    ['a stranger’s signature', { signer: impostor }, 'SignerNotAuthority'],
    ['a time that is over', { permit: { validAfter: 1n, deadline: 2n } }, 'PermitExpired'],
  ] as const)('is refused with %s', async (_, options, name) => {
    expect(await refusal(options)).toEqual([name]);
  });

  it('is refused when the graph factory has other code than permitted', async () => {
    const { tx } = await signGraph(world);
    const code = await world.chain.code(world.factories.V1);
    const state = { [world.factories.V2]: { code } };
    expect(await world.chain.refusal(tx, { state })).toEqual(['RuntimeCodeHashMismatch']);
  });

  it('is spent once, by its own wallet only', async () => {
    const { tx } = await signGraph(world);
    expect(await world.chain.refusal({ ...tx, from: world.stranger })).toEqual(['WrongSender']);
    await world.chain.send(tx);
    expect(await world.chain.refusal(tx)).toEqual(['NonceUsed']);
  });
});

describe('The router of this generation', () => {
  it('fits into the code limit, as its graph factories do', () => {
    const size = (name: string): number => (artifact(name).runtimeCode!.length - 2) / 2;
    for (const name of [graphRouterName, graphFactoryName('V1'), graphFactoryName('V2')])
      expect(size(name)).toBeLessThanOrEqual(24_576);
  });

  it('stamps nothing when it reports a change of its domain, and no launch is found', async () => {
    const { chain, owner, poolManager, stranger, note } = world;
    const name = 'DomainChangingRouter';
    const router = await chain.deploy(owner, artifact(name), [poolManager, owner]);
    const receipt = await chain.send({ from: stranger, to: router, data: encodeCall(name, 'changeDomain') });
    expect(receipt.logs.map(({ address, topics }) => [address, topics])).toEqual([
      [router, [toEventSelector('EIP712DomainChanged()')]],
    ]);
    expect(await judged(receipt, router)).toEqual([]);
    for (const account of [note, router, stranger])
      expect(await chain.read(router, graphRouterName, 'launchIdByToken', [account])).toBe(zeroHash);
    expect(await chain.read(router, graphRouterName, 'launchIdByPool', [zeroHash])).toBe(zeroHash);
  });

  it('is not deployed on another chain', async () => {
    const { chain, owner, poolManager } = world;
    const { abi, creationCode } = artifact(graphRouterName);
    const data = encodeDeployData({ abi, bytecode: creationCode, args: [poolManager, owner] });
    await chain.rpc('anvil_setChainId', 4663);
    try {
      expect(await chain.refusal({ from: owner, data })).toEqual(['WrongChain']);
    } finally {
      await chain.rpc('anvil_setChainId', 1);
    }
    expect(await chain.refusal({ from: owner, data })).toEqual([]);
  });
});
