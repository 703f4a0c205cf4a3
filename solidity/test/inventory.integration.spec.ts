/** The inventory model on a real PoolManager: what a launch leaves, what it charges, and all that it refuses for ever. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { currency1ForLiquidity, maxLiquidityPerTick } from '@launch/evm';
import { concatHex, keccak256, pad, parseEther } from 'viem';
import type { Address } from 'viem';
import { artifact } from './support/artifacts.js';
import type { Transaction } from './support/chain.js';
import { fullScan, reachableScan } from './support/opcodes.js';
import { hashComponentProof, hashPoolKey } from './support/launch-hashes.js';
import { initCodeOf, materialize, planLaunch, sqrtPriceAt, supply, tickLower, tickUpper } from './support/plan.js';
import type { Inventory, Plan, PlanOptions } from './support/plan.js';
import { trade } from './support/trading.js';
import type { Form, Side } from './support/trading.js';
import {
  encodeCall,
  eventsOf,
  inSnapshot,
  poolManagerTx,
  routerName,
  startTimeout,
  startWorld,
} from './support/world.js';
import type { World } from './support/world.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
}, startTimeout);
afterAll(() => world?.chain.close());

const plan = (options: PlanOptions = {}) => planLaunch(world, { project: 'inventory', ...options });
async function launched(options: PlanOptions = {}): Promise<Plan> {
  const launch = await plan(options);
  await world.chain.send(launch.tx);
  return launch;
}
const initializerOf = ({ parts }: Plan) => parts[0]!.account;
const balanceOf = ({ token }: Plan, account: Address) =>
  world.chain.read<bigint>(token, 'InventoryToken', 'balanceOf', [account]);
const refusal = (tx: Transaction) => world.chain.refusal(tx);
const lower = (values: readonly unknown[]) => values.map((value) => String(value).toLowerCase());

describe('a launch', () => {
  it.each<[string, bigint]>([
    ['without a buy', 0n],
    ['with a buy', parseEther('1')],
  ])('%s stamps three components and the vault, and funds the pool with tokens only', (_, initialBuyWei) =>
    inSnapshot(world.chain, async () => {
      const launch = await plan({ initialBuyWei });
      const receipt = await world.chain.send(launch.tx);
      const stamped = eventsOf(receipt, routerName, world.router).filter(
        (e) => e.eventName === 'MultiRoleComponentStampedV2',
      );
      expect(stamped.map(({ args }) => [Number(args['scope']), Number(args['roleMask'])])).toEqual([
        [0, 4],
        [0, 1],
        [0, 2],
        [1, 16],
        [2, 0],
      ]);
      expect(
        lower(await world.chain.read<unknown[]>(world.router, routerName, 'launchStamp', [launch.launchId])),
      ).toEqual(
        lower([launch.permit.controller, launch.token, launch.hook, hashPoolKey(launch.poolKey), launch.permitDigest]),
      );
      expect(await world.chain.read(world.router, routerName, 'componentProof', [launch.launchId, launch.vault])).toBe(
        hashComponentProof(16, keccak256(launch.vaultRuntime), 1, 0),
      );
      for (const [index, part] of launch.parts.entries())
        expect(await world.chain.code(part.account)).toBe(launch.componentRuntimes[index]);
      expect(await world.chain.code(launch.vault)).toBe(launch.vaultRuntime);
      expect(await world.chain.balance(world.poolManager)).toBe(initialBuyWei);
      expect(await world.chain.balance(world.router)).toBe(0n);
      expect(await balanceOf(launch, world.router)).toBe(0n);
      const bought =
        eventsOf(receipt, 'PoolManager', world.poolManager).find((e) => e.eventName === 'Swap')?.args['amount1'] ?? 0n;
      expect(await balanceOf(launch, world.controller)).toBe(bought);
      expect((bought as bigint) > 0n).toBe(initialBuyWei > 0n);
    }),
  );

  it('makes an 18-decimal token of fixed supply', () =>
    inSnapshot(world.chain, async () => {
      const { token } = await launched({ name: 'Atlas' });
      const read = (name: string) => world.chain.read(token, 'InventoryToken', name);
      expect([await read('name'), await read('symbol'), await read('decimals'), await read('totalSupply')]).toEqual([
        'Atlas',
        'PRF',
        18,
        supply,
      ]);
      const writing = artifact('InventoryToken').abi.filter(
        (entry) => entry.type === 'function' && !['view', 'pure'].includes(entry.stateMutability),
      );
      expect(writing.map((entry) => ('name' in entry ? entry.name : '')).sort()).toEqual([
        'approve',
        'transfer',
        'transferFrom',
      ]);
    }));

  it('rolls everything back if the buy brings too little', () =>
    inSnapshot(world.chain, async () => {
      const launch = await plan({ initialBuyWei: parseEther('1'), call: { minimumTokensOut: supply } });
      const before = await world.chain.balance(world.controller);
      expect(await refusal(launch.tx)).toEqual(['TooFewTokens']);
      const { status, gasUsed, effectiveGasPrice } = (await world.chain.submit(launch.tx)) as unknown as {
        status: string;
        gasUsed: string;
        effectiveGasPrice: string;
      };
      expect(status).toBe('0x0');
      expect(await world.chain.balance(world.controller)).toBe(before - BigInt(gasUsed) * BigInt(effectiveGasPrice));
      for (const account of [...launch.parts.map((part) => part.account), launch.vault])
        expect(await world.chain.code(account)).toBe('0x');
      expect(await world.chain.read(world.router, routerName, 'nonceUsed', [world.controller, 1n])).toBe(false);
      // The same nonce and the same addresses are free for another attempt.
      await launched({ initialBuyWei: parseEther('1') });
    }));
});

const ranges: [string, Partial<Inventory>][] = [
  ['the usual range', {}],
  ['spacing 1 over one tick', { tickLower: 0, tickUpper: 1, tickSpacing: 1 }],
  ['spacing 1 up to the tick below the maximum', { tickLower: -887_272, tickUpper: 887_271, tickSpacing: 1 }],
  ['the widest spacing', { tickLower: -32_767, tickUpper: 32_767, tickSpacing: 32_767 }],
  [
    'negative ticks and an inventory that leaves a remainder',
    { inventoryRaw: 10n ** 24n + 7n, tickLower: -120_000, tickUpper: -60_000, tickSpacing: 200 },
  ],
  ['the smallest inventory', { inventoryRaw: 1n, tickLower: -60, tickUpper: 0 }],
  [
    'exactly the liquidity that a tick may carry',
    { inventoryRaw: currency1ForLiquidity(maxLiquidityPerTick(60), tickLower, tickUpper) },
  ],
  ['the largest inventory', { inventoryRaw: 2n ** 127n - 1n, tickLower: 0, tickUpper: 887_220, tickSpacing: 60 }],
];

describe('settlement', () => {
  it.each(ranges)('never exceeds the inventory, and the residue stays with the initializer: %s', (_, inventory) =>
    inSnapshot(world.chain, async () => {
      const launch = await plan({ inventory });
      const receipt = await world.chain.send(launch.tx);
      const inventoryRaw = inventory.inventoryRaw ?? supply;
      const [residue, settled] = [
        await balanceOf(launch, initializerOf(launch)),
        await balanceOf(launch, world.poolManager),
      ];
      expect(residue + settled).toBe(inventoryRaw);
      // What one more unit of liquidity would cost is more than what is left: the floor is the best there is.
      const span = launch.call.sqrtPriceX96 - (await sqrtPriceAt(world, inventory.tickLower ?? tickLower));
      expect((launch.call.liquidity + 1n) * span > inventoryRaw * 2n ** 96n).toBe(true);
      expect(settled).toBe((launch.call.liquidity * span + 2n ** 96n - 1n) / 2n ** 96n);
      const events = eventsOf(receipt, 'PoolManager', world.poolManager);
      expect(events.find((e) => e.eventName === 'ModifyLiquidity')!.args).toMatchObject({
        liquidityDelta: launch.call.liquidity,
        tickUpper: inventory.tickUpper ?? tickUpper,
      });
      expect(events.find((e) => e.eventName === 'Initialize')!.args).toMatchObject({
        sqrtPriceX96: launch.call.sqrtPriceX96,
        tick: inventory.tickUpper ?? tickUpper,
      });
    }),
  );
});

describe('the liquidity limit of one tick', () => {
  it.each([1, 10, 60, 200, 32_767])("is PoolManager's own at spacing %i", (spacing) =>
    inSnapshot(world.chain, async () => {
      const { token } = await launched();
      const noAddress: Address = `0x${'0'.repeat(40)}`;
      const key = { currency0: noAddress, currency1: token, fee: 0, tickSpacing: spacing, hooks: noAddress };
      await world.chain.send(poolManagerTx(world, world.stranger, 'initialize', [key, await sqrtPriceAt(world, 0)]));
      const add = (liquidityDelta: bigint): Transaction => ({
        from: world.stranger,
        to: world.trader,
        data: encodeCall('Trader', 'modifyLiquidity', [
          key,
          { tickLower: spacing, tickUpper: 2 * spacing, liquidityDelta, salt: pad('0x0') },
        ]),
      });
      const limit = maxLiquidityPerTick(spacing);
      expect(await refusal(add(limit + 1n))).toEqual(['TickLiquidityOverflow']);
      // At the limit PoolManager goes on, to ether that nobody has.
      expect(await refusal(add(limit))).toEqual(['']);
    }),
  );
});

describe('what a launch may not be', () => {
  it.each<[string, PlanOptions, string[]]>([
    ['ticks off the spacing', { inventory: { tickLower: 60_001 } }, ['TickMisaligned']],
    [
      'a spacing PoolManager refuses',
      { inventory: { tickLower: 0, tickUpper: 32_768, tickSpacing: 32_768 } },
      ['TickSpacingTooLarge'],
    ],
    [
      'more liquidity than a tick may carry',
      { inventory: { inventoryRaw: 2n ** 127n - 1n } },
      ['TickLiquidityOverflow'],
    ],
    [
      'a unit of liquidity more than a tick may carry',
      { inventory: { inventoryRaw: currency1ForLiquidity(maxLiquidityPerTick(60) + 1n, tickLower, tickUpper) } },
      ['TickLiquidityOverflow'],
    ],
    ['too little for a unit of liquidity', { inventory: { inventoryRaw: 1n } }, ['WrappedError', 'LiquidityLocked']],
    [
      'liquidity beyond a signed 128-bit integer',
      { inventory: { inventoryRaw: 72n * 10n ** 34n, tickLower: -60, tickUpper: 0 } },
      ['SafeCastOverflow'],
    ],
  ])('%s', async (_, options, errors) => {
    expect(await refusal((await plan(options)).tx)).toEqual(errors);
  });

  it("of any other liquidity or price than the formula's", async () => {
    const { liquidity, sqrtPriceX96 } = (await plan()).call;
    expect(await refusal((await plan({ call: { liquidity: liquidity + 1n } })).tx)).toEqual(['WrongLiquidity']);
    expect(await refusal((await plan({ call: { liquidity: liquidity - 1n } })).tx)).toEqual(['WrongLiquidity']);
    expect(await refusal((await plan({ call: { sqrtPriceX96: sqrtPriceX96 - 1n } })).tx)).toEqual(['WrongPrice']);
    expect(await refusal((await plan({ call: { sqrtPriceX96: sqrtPriceX96 + 1n } })).tx)).toEqual(['WrongPrice']);
  });

  it.each<[string, string, () => unknown[], string]>([
    ['ticks out of order', 'InventoryInitializer', () => [world.poolManager, world.router, 60, 60], 'TickRangeInvalid'],
    [
      'a lower tick below the bounds',
      'InventoryInitializer',
      () => [world.poolManager, world.router, -887_273, 60],
      'TickRangeInvalid',
    ],
    [
      'the maximum tick',
      'InventoryInitializer',
      () => [world.poolManager, world.router, 0, 887_272],
      'TickRangeInvalid',
    ],
    ['no inventory', 'InventoryToken', () => ['A', 'A', 0n, world.stranger], 'InventoryOutOfRange'],
    [
      'an inventory beyond int128',
      'InventoryToken',
      () => ['A', 'A', 2n ** 127n, world.stranger],
      'InventoryOutOfRange',
    ],
    ['an inventory for nobody', 'InventoryToken', () => ['A', 'A', 1n, `0x${'0'.repeat(40)}`], 'InitializerIsZero'],
  ])('%s', async (_, contract, args, error) => {
    const initCode = initCodeOf(contract, args());
    expect(await refusal({ from: world.stranger, data: initCode })).toEqual([error]);
  });
});

describe('after the launch', () => {
  let launch: Plan;
  let before: unknown;
  beforeAll(async () => {
    before = await world.chain.rpc('evm_snapshot');
    launch = await launched({ nonce: 9n, name: 'Kept', initialBuyWei: parseEther('1') });
  });
  afterAll(() => world.chain.rpc('evm_revert', before));
  const change = (liquidityDelta: bigint): Transaction => ({
    from: world.stranger,
    to: world.trader,
    data: encodeCall('Trader', 'modifyLiquidity', [
      launch.poolKey,
      { tickLower, tickUpper, liquidityDelta, salt: pad('0x0') },
    ]),
  });
  const seed = (from: Address, value = 0n): Transaction => ({
    from,
    value,
    to: initializerOf(launch),
    data: encodeCall('InventoryInitializer', 'seedLiquidity', [
      launch.poolKey,
      launch.call.sqrtPriceX96,
      launch.call.liquidity,
    ]),
  });

  it.each([
    ['adding', 10n ** 12n, 'LiquidityClosed'],
    ['removing', -1n, 'LiquidityLocked'],
    ['collecting', 0n, 'LiquidityLocked'],
  ] as const)('liquidity is closed to third parties: %s', async (_, delta, error) => {
    expect(await refusal(change(delta))).toEqual(['WrappedError', error]);
  });

  it('nobody seeds again, not even the router', async () => {
    expect(await refusal(seed(world.stranger))).toEqual(['NotRouter']);
    expect(await refusal(seed(world.router))).toEqual(['AlreadySeeded']);
  });

  it('the hook admits nobody a second time, not even its initializer', async () => {
    const data = (sender: Address) =>
      encodeCall('InventoryHook', 'beforeAddLiquidity', [
        sender,
        launch.poolKey,
        { tickLower, tickUpper, liquidityDelta: 1n, salt: pad('0x0') },
        '0x',
      ]);
    expect(await refusal({ from: world.poolManager, to: launch.hook, data: data(initializerOf(launch)) })).toEqual([
      'LiquidityClosed',
    ]);
    expect(await refusal({ from: world.stranger, to: launch.hook, data: data(initializerOf(launch)) })).toEqual([
      'NotPoolManager',
    ]);
  });

  it("the initializer has no way to move what is left, and answers no callback but PoolManager's", async () => {
    const writing = artifact('InventoryInitializer').abi.filter(
      (entry) => entry.type === 'function' && !['view', 'pure'].includes(entry.stateMutability),
    );
    expect(writing.map((entry) => ('name' in entry ? entry.name : '')).sort()).toEqual([
      'seedLiquidity',
      'unlockCallback',
    ]);
    expect(
      await refusal({
        from: world.stranger,
        to: initializerOf(launch),
        data: encodeCall('InventoryInitializer', 'unlockCallback', ['0x']),
      }),
    ).toEqual(['NotPoolManager']);
    expect(await balanceOf(launch, initializerOf(launch))).toBeGreaterThan(0n);
  });

  it('no selector of any of its contracts, called by anybody with anything, moves liquidity or residue', () =>
    inSnapshot(world.chain, async () => {
      const holdings = () =>
        Promise.all(
          [initializerOf(launch), world.poolManager, launch.hook, launch.vault].map((account) =>
            balanceOf(launch, account),
          ),
        );
      const held = await holdings();
      const accounts = [...launch.parts.map((part) => part.account), launch.vault];
      const called: string[] = [];
      for (const account of accounts) {
        // Whatever a dispatcher compares with is pushed as four bytes: every selector, whether an ABI names it or not.
        const pushed = new Set((await world.chain.code(account)).match(/63[0-9a-f]{8}/g));
        for (const selector of pushed) {
          for (const from of [world.stranger, world.creator, world.controller]) {
            for (const argument of [initializerOf(launch), world.stranger, pad('0x1')]) {
              const data = concatHex([`0x${selector.slice(2)}`, ...Array.from({ length: 12 }, () => pad(argument))]);
              called.push((await world.chain.submit({ from, to: account, data })).status);
            }
          }
        }
      }
      expect(new Set(called)).toEqual(new Set(['0x0', '0x1']));
      expect(await holdings()).toEqual(held);
      expect(await refusal(change(-1n))).toEqual(['WrappedError', 'LiquidityLocked']);
    }));

  it('the pool cannot be initialised again, nor the hook serve another one', async () => {
    const initialize = (key: object) =>
      poolManagerTx(world, world.stranger, 'initialize', [key, launch.call.sqrtPriceX96]);
    expect(await refusal(initialize(launch.poolKey))).toEqual(['WrappedError', 'NotRouter']);
    expect(await refusal(initialize({ ...launch.poolKey, tickSpacing: 1 }))).toEqual(['WrappedError', 'WrongPool']);
  });
});

describe('a foreign router', () => {
  it('finds the initializer closed before the launch', () =>
    inSnapshot(world.chain, async () => {
      const router = world.stranger;
      const account = await world.chain.deploy(world.stranger, artifact('InventoryInitializer'), [
        world.poolManager,
        router,
        tickLower,
        tickUpper,
      ]);
      const { poolKey, call } = await plan();
      const seed = (value: bigint, price: bigint): Transaction => ({
        from: router,
        value,
        to: account,
        data: encodeCall('InventoryInitializer', 'seedLiquidity', [poolKey, price, call.liquidity]),
      });
      expect(await refusal(seed(1n, call.sqrtPriceX96))).toEqual(['NativeSeedNotAllowed']);
      expect(await refusal(seed(0n, call.sqrtPriceX96 + 1n))).toEqual(['WrongPrice']);
    }));
});

describe('swaps', () => {
  const forms: [Side, Form, bigint][] = [
    ['buy', 'exactIn', parseEther('3')],
    ['buy', 'exactOut', 10n ** 24n],
    ['sell', 'exactIn', 10n ** 24n],
    ['sell', 'exactOut', parseEther('0.5')],
  ];
  const fees: [string, PlanOptions][] = [
    ['creator 3 % and 5 %', { buyFeeBps: 300, sellFeeBps: 500 }],
    ['creator 0 % and 10 %', { buyFeeBps: 0, sellFeeBps: 1_000 }],
    ['no creator fee', { buyFeeBps: 0, sellFeeBps: 0 }],
  ];
  it.each(fees)('are charged to the wei in all four forms: %s', (_, options) =>
    inSnapshot(world.chain, async () => {
      const launch = await launched({ ...options, initialBuyWei: parseEther('1') });
      for (const [side, form, amount] of forms) await trade(world, launch, side, form, amount);
      for (const amount of [1n, 49n, 50n, 499n, 500n, 501n, 9_999n]) {
        await trade(world, launch, 'buy', 'exactIn', amount);
        await trade(world, launch, 'sell', 'exactOut', amount);
      }
    }),
  );

  it('start from an empty PoolManager', () =>
    inSnapshot(world.chain, async () => {
      const launch = await launched();
      expect(await world.chain.balance(world.poolManager)).toBe(0n);
      await trade(world, launch, 'buy', 'exactIn', parseEther('1'));
    }));
});

describe("a price that somebody pushes above the pool's start, where nobody has liquidity", () => {
  it.each([1, 60])('comes down again with the next buy, to the same trade: spacing %i', (tickSpacing) =>
    inSnapshot(world.chain, async () => {
      const launch = await launched({ inventory: { tickSpacing } });
      const undisturbed = await inSnapshot(world.chain, () => trade(world, launch, 'buy', 'exactIn', parseEther('1')));
      expect(await trade(world, launch, 'sell', 'exactIn', 1n)).toMatchObject({ native: 0n, token: 0n });
      expect(await trade(world, launch, 'buy', 'exactIn', parseEther('1'))).toEqual(undisturbed);
    }),
  );
});

describe('what stands on chain', () => {
  it('holds no instruction that either policy forbids, and only immutables differ from the compiled code', async () => {
    const launch = await plan();
    const { componentRuntimes, childRuntimes } = await materialize(world, world.router, launch.parts, [launch.vault]);
    const names = ['InventoryInitializer', 'InventoryToken', 'InventoryHook', 'FeeVault'];
    for (const [index, runtime] of [...componentRuntimes, ...childRuntimes].entries()) {
      const { runtimeCode, immutables } = artifact(names[index]!);
      const masked = Buffer.from(runtime.slice(2), 'hex');
      for (const { offsets } of immutables) for (const offset of offsets) masked.fill(0, offset, offset + 32);
      expect({ name: names[index], masked: `0x${masked.toString('hex')}` }).toEqual({
        name: names[index],
        masked: runtimeCode,
      });
      expect({ name: names[index], full: fullScan(runtime), reachable: reachableScan(runtime) }).toEqual({
        name: names[index],
        full: [],
        reachable: [],
      });
    }
  });

  it("the initializer's creation code names neither token nor hook", async () => {
    const { parts, token, hook } = await plan();
    const named = (index: number, account: Address) => parts[index]!.initCode.includes(account.slice(2));
    expect([named(0, token), named(0, hook), named(1, hook)]).toEqual([false, false, false]);
    expect([
      named(1, initializerOf({ parts } as Plan)),
      named(2, token),
      named(2, initializerOf({ parts } as Plan)),
    ]).toEqual([true, true, true]);
  });
});
