/** One engine that is the hook of many pools: launches, each pool's own fees, and whom it refuses. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeAbiParameters, getAddress, hashTypedData, keccak256 } from 'viem';
import type { Address, Hex } from 'viem';
import { encodeRecipe, type NativeRecipe } from '@launch/evm/sources';
import { artifact } from './support/artifacts.js';
import { deployEngine, ENGINE, engineLaunched, engineLaunchTx, engineRecipe } from './support/engine-launch.js';
import { judgeReceiptOf } from './support/native-launch.js';
import { expectedFees, type Form, type Side } from './support/trading.js';
import { authority, encodeCall, eventsOf, impostor, startTimeout, startWorld, type World } from './support/world.js';

const VERSION = 'module-engine-v1';
const word = (digits: string): Hex => `0x${digits.repeat(32)}`;
const [PACKAGE, FAMILY] = [word('a1'), word('f1')];
const REWARD: Address = `0x${'a'.repeat(40)}`;
const [LOWEST, HIGHEST] = [4_295_128_740n, 1461446703485210103287273052203988822378723970341n];

let world: World;
let engine: Address;
let other: Address;
let note: Address;
let opening: Address;
beforeAll(async () => {
  world = await startWorld();
  const { chain, owner } = world;
  const registry = await chain.deploy(owner, artifact('ModuleRegistry'), [owner]);
  const admin = (name: string, args: unknown[]) =>
    chain.send({ from: owner, to: registry, data: encodeCall('ModuleRegistry', name, args) });
  await admin('admit', [PACKAGE, FAMILY]);
  await admin('setRewardWallet', [FAMILY, REWARD]);
  note = await chain.deploy(owner, artifact('NoteModule'));
  opening = await chain.deploy(owner, artifact('OpeningModule'));
  const [first, next] = await deployEngine(world, registry);
  engine = first;
  [other] = await deployEngine(world, registry, next);
}, startTimeout);
afterAll(() => world?.chain.close());

const moduleOf = (instance: Address, configuration: Hex = '0x01') => ({
  packageId: PACKAGE,
  familyId: FAMILY,
  instance,
  configuration,
});
const launch = async (change: Partial<NativeRecipe> = {}, by = engine) => {
  const receipt = await world.chain.send(engineLaunchTx(by, world.controller, engineRecipe(world, change)));
  return { receipt, ...(await engineLaunched(world, by, receipt)) };
};
type Launched = Awaited<ReturnType<typeof launch>>;
const swapTx = ({ poolKey }: Pick<Launched, 'poolKey'>, side: Side, form: Form, amount: bigint, limit?: bigint) => {
  const zeroForOne = side === 'buy';
  const params = {
    zeroForOne,
    amountSpecified: form === 'exactIn' ? -amount : amount,
    sqrtPriceLimitX96: limit ?? (zeroForOne ? LOWEST : HIGHEST),
  };
  return { from: world.stranger, to: world.trader, data: encodeCall('Trader', 'swap', [poolKey, params]) };
};
const owed = async (vault: Address) => {
  const split = await world.chain.read<Address>(engine, ENGINE, 'feeSplit');
  const of = (account: Address) => world.chain.read<bigint>(vault, 'FeeVault', 'owed', [account]);
  return Promise.all([of(split), of(world.creator)]);
};

describe('a launch through an engine', () => {
  it('is found completely by the adapter, also for two coins of one engine with one hook', async () => {
    const modules = [moduleOf(opening, encodeAbiParameters([{ type: 'uint64' }], [5n])), moduleOf(note)];
    const made = [await launch({ modules }), await launch()];
    expect(new Set(made.map(({ token }) => token)).size).toBe(2);
    expect(new Set(made.map(({ poolId }) => poolId)).size).toBe(2);
    for (const { receipt, token, launchId, poolId } of made) {
      const [verdict, another] = await judgeReceiptOf(world, VERSION, engine, receipt);
      expect(another).toBeUndefined();
      if (verdict?.kind !== 'pass') throw new Error(JSON.stringify(verdict));
      expect(verdict.launch.record).toMatchObject({
        launchId,
        tokenAddress: token.toLowerCase(),
        creator: world.controller.toLowerCase(),
        poolId,
        hookAddress: engine.toLowerCase(),
        name: 'Engine Token',
        decimals: 18,
      });
      expect(verdict.launch.metadata).toMatchObject({ status: 'ok', description: 'one of many' });
    }
  });

  it('is unknown to another engine, whose adapter finds nothing', async () => {
    const { receipt, token } = await launch();
    expect(await judgeReceiptOf(world, VERSION, engine, receipt)).toHaveLength(1);
    expect(await judgeReceiptOf(world, VERSION, other, receipt)).toEqual([]);
    expect(await world.chain.read(other, ENGINE, 'getLaunch', [token])).toEqual(
      expect.arrayContaining([word('00'), `0x${'0'.repeat(40)}`]),
    );
    // The same logs as if the other engine had written them: its getters do not bear them out.
    const lent = receipt.logs.map((log) => (log.address.toLowerCase() === engine ? { ...log, address: other } : log));
    const [verdict] = await judgeReceiptOf(world, VERSION, other, { ...receipt, logs: lent });
    expect(verdict).toMatchObject({ kind: 'fail', reason: 'GETTER_MISMATCH' });
  });

  it('belongs to the wallet that signed it for this engine, through any relayer, once and until its deadline', async () => {
    const recipe = engineRecipe(world);
    const deadline = (await world.chain.time()) + 600n;
    const signed = (by: typeof authority, verifyingContract = engine) =>
      by.sign({
        hash: hashTypedData({
          domain: { name: ENGINE, version: '1', chainId: 4663, verifyingContract },
          types: {
            LaunchFor: [
              { name: 'recipeHash', type: 'bytes32' },
              { name: 'launchWallet', type: 'address' },
              { name: 'deadline', type: 'uint256' },
            ],
          },
          primaryType: 'LaunchFor',
          message: { recipeHash: keccak256(encodeRecipe(recipe)), launchWallet: authority.address, deadline },
        }),
      });
    const relayed = (signature: Hex, until = deadline) => ({
      from: world.stranger,
      to: engine,
      data: encodeCall(ENGINE, 'launchFor', [encodeRecipe(recipe), authority.address, until, signature]),
    });
    expect(await world.chain.refusal(relayed(await signed(impostor)))).toEqual(['SignerNotLaunchWallet']);
    expect(await world.chain.refusal(relayed(await signed(authority, other)))).toEqual(['SignerNotLaunchWallet']);
    expect(await world.chain.refusal(relayed(await signed(authority), 1n))).toEqual(['LaunchExpired']);
    const receipt = await world.chain.send(relayed(await signed(authority)));
    const [verdict] = await judgeReceiptOf(world, VERSION, engine, receipt);
    expect(verdict).toMatchObject({ kind: 'pass', launch: { record: { creator: authority.address.toLowerCase() } } });
    expect(await world.chain.refusal(relayed(await signed(authority)))).toEqual(['LaunchKeyUsed']);
  });

  it('is refused with an impossible pool or program', async () => {
    const refusal = (change: Partial<NativeRecipe>) =>
      world.chain.refusal(engineLaunchTx(engine, world.controller, engineRecipe(world, change)));
    expect(await refusal({ creatorBuyFeeBps: 1_001 })).toEqual(['CreatorFeeTooHigh']);
    expect(await refusal({ creatorSellFeeBps: 1_001 })).toEqual(['CreatorFeeTooHigh']);
    expect(await refusal({ totalSupply: 0n })).toEqual(['SupplyOutOfRange']);
    expect(await refusal({ totalSupply: 2n ** 127n })).toEqual(['SupplyOutOfRange']);
    expect(await refusal({ tickUpper: 61 })).toEqual(['TickRangeInvalid']);
    expect(await refusal({ tickLower: 60 })).toEqual(['TickRangeInvalid']);
    expect(await refusal({ sqrtPriceX96: 2n ** 96n - 1n })).toEqual(['WrongPrice']);
    expect(await refusal({ creatorFeeRecipient: `0x${'0'.repeat(40)}` })).toEqual(['RecipientIsZero']);
    expect(await refusal({ modules: [moduleOf(REWARD)] })).toEqual(['InstanceWithoutCode']);
    expect(await refusal({ modules: [moduleOf(opening, '0x')] })).toEqual(['ConfigurationMalformed']);
    expect(await refusal({ modules: Array.from({ length: 33 }, () => moduleOf(note)) })).toEqual(['TooManyModules']);
    const padded = encodeCall(ENGINE, 'launch', [`${encodeRecipe(engineRecipe(world))}${'00'.repeat(32)}`]);
    expect(await world.chain.refusal({ from: world.controller, to: engine, data: padded })).toEqual([
      'RecipeNotCanonical',
    ]);
  });
});

describe('the fees of an engine’s pools', () => {
  it('follow each pool’s own rates to the wei while both are traded in turn', async () => {
    const plain = {
      ...(await launch({ creatorBuyFeeBps: 0, creatorSellFeeBps: 1_000 })),
      buyFeeBps: 0n,
      sellFeeBps: 1_000n,
    };
    const shared = { ...(await launch({ modules: [moduleOf(note)] })), buyFeeBps: 300n, sellFeeBps: 500n };
    const due = new Map([plain, shared].map(({ vault }) => [vault, [0n, 0n] as [bigint, bigint]]));
    const trades: readonly (readonly [Side, Form, bigint])[] = [
      ['buy', 'exactIn', 777_777_777_777_777_777n],
      ['buy', 'exactOut', 123_456_789_123_456_789n],
      ['sell', 'exactIn', 55_555_555_555_555_555n],
      ['sell', 'exactOut', 1_234_567_891_234n],
    ];
    for (const [side, form, size] of trades)
      for (const [index, pool] of [plain, shared].entries()) {
        const amount = size + BigInt(index);
        const receipt = await world.chain.send(swapTx(pool, side, form, amount));
        const swap = eventsOf(receipt, 'PoolManager', world.poolManager).find(({ eventName }) => eventName === 'Swap')!;
        const moved = swap.args['amount0'] as bigint;
        const [platform, creator] = expectedFees(pool, side, form, amount, moved < 0n ? -moved : moved);
        const sum = due.get(pool.vault)!;
        due.set(pool.vault, [sum[0] + platform, sum[1] + creator]);
        expect(await Promise.all([plain, shared].map(({ vault }) => owed(vault)))).toEqual([...due.values()]);
      }
    const split = await world.chain.read<Address>(engine, ENGINE, 'feeSplit');
    const shares = () =>
      Promise.all(
        [world.platform, REWARD].map((who) => world.chain.read<bigint>(split, 'ModuleFeeSplit', 'owed', [who])),
      );
    for (const [pool, families] of [
      [plain, 0n],
      [shared, 1n],
    ] as const) {
      const before = await shares();
      const data = encodeCall('ModuleFeeSplit', 'collect', [pool.vault]);
      await world.chain.send({ from: world.stranger, to: split, data });
      const [fees] = due.get(pool.vault)!;
      const share = (fees / 2n) * families;
      expect((await shares()).map((value, index) => value - before[index]!)).toEqual([fees - share, share]);
    }
  });

  it('are not charged for a part of a trade, which a price limit reverts', async () => {
    const pool = await launch();
    const limited = swapTx(pool, 'buy', 'exactIn', 10n ** 18n, 2n ** 96n - 2n ** 60n);
    expect((await world.chain.refusal(limited)).at(-1)).toBe('PartialFill');
  });
});

describe('an engine', () => {
  it('does not start at an address without its permissions', async () => {
    await expect(
      world.chain.deploy(world.owner, artifact(ENGINE), [world.poolManager, note, world.platform]),
    ).rejects.toThrow('reverted: HookAddressFlagsWrong');
  });

  it('serves no pool that it did not start, nor one of another engine', async () => {
    const { poolKey } = await launch({}, other);
    const params = { zeroForOne: true, amountSpecified: -1n, sqrtPriceLimitX96: LOWEST };
    const start = (hooks: Address) => ({
      from: world.stranger,
      to: world.poolManager,
      data: encodeCall('PoolManager', 'initialize', [{ ...poolKey, hooks }, 2n ** 96n]),
    });
    expect((await world.chain.refusal(start(engine))).at(-1)).toBe('NotEngine');
    const asked = (key: typeof poolKey, from: Address) =>
      world.chain.refusal({ from, to: engine, data: encodeCall(ENGINE, 'beforeSwap', [from, key, params, '0x']) });
    expect(await asked(poolKey, world.poolManager)).toEqual(['WrongPool']);
    expect(await asked({ ...poolKey, hooks: engine }, world.poolManager)).toEqual(['WrongPool']);
    const own = await launch();
    expect(await asked(own.poolKey, world.stranger)).toEqual(['NotPoolManager']);
    const wrongFee = { ...own.poolKey, fee: 3_000 };
    expect(await asked(wrongFee, world.poolManager)).toEqual(['WrongPool']);
    const after = encodeCall(ENGINE, 'afterSwap', [world.stranger, poolKey, params, 0n, '0x']);
    expect(await world.chain.refusal({ from: world.poolManager, to: engine, data: after })).toEqual(['WrongPool']);
  });

  it('returns a pool’s liquidity to no account and accepts none, and its parts obey only the engine', async () => {
    const { poolKey, vault } = await launch();
    const params = { tickLower: -887_220, tickUpper: 0, liquidityDelta: -1n, salt: word('00') };
    const modify = (liquidityDelta: bigint) => ({
      from: world.stranger,
      to: world.trader,
      data: encodeCall('Trader', 'modifyLiquidity', [poolKey, { ...params, liquidityDelta }]),
    });
    expect((await world.chain.refusal(modify(-1n))).at(-1)).toBe('LiquidityLocked');
    expect((await world.chain.refusal(modify(1n))).at(-1)).toBe('LiquidityClosed');
    const split = await world.chain.read<Address>(engine, ENGINE, 'feeSplit');
    const by = (to: Address, contract: string, fn: string, args: unknown[]) =>
      world.chain.refusal({ from: world.stranger, to, data: encodeCall(contract, fn, args) });
    expect(await by(split, 'ModuleFeeSplit', 'register', [vault, []])).toEqual(['NotLauncher']);
    expect(await by(vault, 'FeeVault', 'accrue', [1n, 1n])).toEqual(['NotHook']);
    expect(await by(engine, ENGINE, 'unlockCallback', ['0x'])).toEqual(['NotPoolManager']);
    expect(await world.chain.read(vault, 'FeeVault', 'hook')).toBe(getAddress(engine));
  });
});
