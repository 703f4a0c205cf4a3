/** The inventory model on a real PoolManager: valid launches, refused launches, and their state on chain. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { currency1ForLiquidity, maxLiquidityPerTick } from '@launch/evm';
import { keccak256, pad, parseEther } from 'viem';
import type { Address } from 'viem';
import { artifact } from './support/artifacts.js';
import type { Transaction } from './support/chain.js';
import { fullScan, reachableScan } from './support/opcodes.js';
import { hashComponentProof, hashPoolKey } from './support/launch-hashes.js';
import { initCodeOf, materialize, planLaunch, sqrtPriceAt, supply, tickLower, tickUpper } from './support/plan.js';
import type { Inventory, Plan, PlanOptions } from './support/plan.js';
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

describe('A launch', () => {
  it.each<[string, bigint]>([
    ['without a buy', 0n],
    ['with a buy', parseEther('1')],
  ])('stamps, %s, three components and the vault, and funds the pool with tokens only', (_, initialBuyWei) =>
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

  it('creates an 18-decimal token of fixed supply', () =>
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

  it('rolls everything back if the buy brings too few tokens', () =>
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

describe('The settlement', () => {
  it.each(ranges)('never exceeds the inventory over %s, and the residue stays with the initializer', (_, inventory) =>
    inSnapshot(world.chain, async () => {
      const launch = await plan({ inventory });
      const receipt = await world.chain.send(launch.tx);
      const inventoryRaw = inventory.inventoryRaw ?? supply;
      const [residue, settled] = [
        await balanceOf(launch, initializerOf(launch)),
        await balanceOf(launch, world.poolManager),
      ];
      expect(residue + settled).toBe(inventoryRaw);
      // One more unit of liquidity would cost more than is left: the floor is the best there is.
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

describe('The liquidity limit of one tick', () => {
  it.each([1, 10, 60, 200, 32_767])("equals PoolManager's own at spacing %i", (spacing) =>
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
      // At the limit PoolManager continues, to more ether than exists.
      expect(await refusal(add(limit))).toEqual(['']);
    }),
  );
});

describe('An inventory launch', () => {
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
  ])('is refused for %s', async (_, options, errors) => {
    expect(await refusal((await plan(options)).tx)).toEqual(errors);
  });

  it("is refused for any other liquidity or price than the formula's", async () => {
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
    [
      'an inventory for the zero address',
      'InventoryToken',
      () => ['A', 'A', 1n, `0x${'0'.repeat(40)}`],
      'InitializerIsZero',
    ],
  ])('is refused for %s', async (_, contract, args, error) => {
    const initCode = initCodeOf(contract, args());
    expect(await refusal({ from: world.stranger, data: initCode })).toEqual([error]);
  });
});

describe('the code on chain', () => {
  it('contains no instruction that either policy forbids, and differs from the compiled code in immutables only', async () => {
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

  it('names neither token nor hook in the creation code of the initializer', async () => {
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
