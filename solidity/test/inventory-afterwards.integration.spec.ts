/** The inventory model after its launch: what it charges, and all that it refuses for ever. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { concatHex, pad, parseEther } from 'viem';
import type { Address } from 'viem';
import { artifact } from './support/artifacts.js';
import type { Transaction } from './support/chain.js';
import { planLaunch, tickLower, tickUpper } from './support/plan.js';
import type { Plan, PlanOptions } from './support/plan.js';
import { trade } from './support/trading.js';
import type { Form, Side } from './support/trading.js';
import { encodeCall, inSnapshot, poolManagerTx, startTimeout, startWorld } from './support/world.js';
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

describe('After the launch,', () => {
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
  ] as const)('liquidity is closed to a third party that is %s it', async (_, delta, error) => {
    expect(await refusal(change(delta))).toEqual(['WrappedError', error]);
  });

  it('no account can seed again, not even the router', async () => {
    expect(await refusal(seed(world.stranger))).toEqual(['NotRouter']);
    expect(await refusal(seed(world.router))).toEqual(['AlreadySeeded']);
  });

  it('the hook admits no account a second time, not even its initializer', async () => {
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

  it('the initializer cannot move the residue, and answers only callbacks of PoolManager', async () => {
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

  it('no selector of any of its contracts moves liquidity or residue, for any caller and any input', () =>
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
        // A dispatcher pushes each selector that it compares with as four bytes, whether an ABI names it or not.
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

describe('A foreign router', () => {
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

describe('Swaps', () => {
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
  it.each(fees)('are charged to the wei in all four forms with %s', (_, options) =>
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

describe("A price above the pool's start, where the pool has no liquidity,", () => {
  it.each([1, 60])('falls with the next buy, for the same trade, at spacing %i', (tickSpacing) =>
    inSnapshot(world.chain, async () => {
      const launch = await launched({ inventory: { tickSpacing } });
      const undisturbed = await inSnapshot(world.chain, () => trade(world, launch, 'buy', 'exactIn', parseEther('1')));
      expect(await trade(world, launch, 'sell', 'exactIn', 1n)).toMatchObject({ native: 0n, token: 0n });
      expect(await trade(world, launch, 'buy', 'exactIn', parseEther('1'))).toEqual(undisturbed);
    }),
  );
});
