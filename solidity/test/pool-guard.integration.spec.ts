/** The pool belongs to its launch: no other account initialises it, attaches the hook, or moves liquidity. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keccak256, pad, toHex } from 'viem';
import type { Address } from 'viem';
import { artifact } from './support/artifacts.js';
import type { Transaction } from './support/chain.js';
import type { PoolKey } from './support/launch-hashes.js';
import {
  create2,
  feeConfig,
  initCodeOf,
  mineSalt,
  planLaunch,
  sqrtPriceAt,
  supply,
  tickLower,
  tickUpper,
} from './support/plan.js';
import type { Plan } from './support/plan.js';
import { encodeCall, inSnapshot, poolManagerTx, startTimeout, startWorld } from './support/world.js';
import type { World } from './support/world.js';

let world: World;
let before: Plan;
let combined: Plan;
let separate: Plan;
let price: bigint;
beforeAll(async () => {
  world = await startWorld();
  before = await planLaunch(world, { nonce: 1n, name: 'Not launched' });
  combined = await planLaunch(world, { nonce: 2n, name: 'Combined' });
  separate = await planLaunch(world, { nonce: 3n, name: 'Separate', project: 'separate' });
  price = await sqrtPriceAt(world, tickUpper);
  await world.chain.send(combined.tx);
  await world.chain.send(separate.tx);
}, startTimeout);
afterAll(() => world?.chain.close());

const refusal = (tx: Transaction) => world.chain.refusal(tx);
const initialize = (key: PoolKey) => poolManagerTx(world, world.stranger, 'initialize', [key, price]);
const liquidity = (plan: Plan, liquidityDelta: bigint): Transaction => ({
  from: world.stranger,
  to: world.trader,
  data: encodeCall('Trader', 'modifyLiquidity', [
    plan.poolKey,
    { tickLower, tickUpper, liquidityDelta, salt: pad('0x0') },
  ]),
});
const seed = (from: Address, to: Address, plan: Plan, sqrtPriceX96 = price, value = 0n): Transaction => ({
  from,
  to,
  value,
  data: encodeCall('Native20', 'seedLiquidity', [plan.poolKey, sqrtPriceX96, 1n]),
});

describe('The initialisation of a pool', () => {
  it('fails by a stranger before the launch, because the predicted hook has no code', async () => {
    expect(await refusal(initialize(before.poolKey))).toEqual(['InvalidHookResponse']);
  });

  it('fails a second time', async () => {
    expect(await refusal(initialize(combined.poolKey))).toEqual(['WrappedError', 'NotRouter']);
    expect(await refusal({ ...initialize(combined.poolKey), from: world.router })).toEqual([
      'WrappedError',
      'WrongStage',
    ]);
  });

  it.each<[string, () => PoolKey]>([
    ['another LP fee', () => ({ ...combined.poolKey, fee: 3_000 })],
    ['another tick spacing', () => ({ ...combined.poolKey, tickSpacing: 10 })],
    ['another token', () => ({ ...combined.poolKey, currency1: `0x${'ff'.repeat(20)}` })],
    ['two tokens', () => ({ ...combined.poolKey, currency0: combined.token, currency1: `0x${'ff'.repeat(20)}` })],
  ])('fails with the hook on a pool of %s', async (_, key) => {
    expect(await refusal(initialize(key()))).toEqual(['WrappedError', 'WrongPool']);
    expect(await refusal({ ...initialize(key()), from: world.router })).toEqual(['WrappedError', 'WrongPool']);
  });

  it('fails by the guard itself for a hook that was deployed outside a launch', () =>
    inSnapshot(world.chain, async () => {
      const factory = await world.chain.deploy(world.stranger, artifact('Factory'));
      const initCode = initCodeOf('Native20', [feeConfig(world, {}), 'Outside', 'OUT', supply, tickLower, tickUpper]);
      const salt = mineSalt(factory, keccak256(initCode), world.stranger);
      const hook = create2(factory, salt, initCode);
      await world.chain.send({
        from: world.stranger,
        to: factory,
        data: encodeCall('Factory', 'make', [salt, initCode]),
      });
      const key = { ...combined.poolKey, currency1: hook, hooks: hook };
      expect(await refusal(initialize(key))).toEqual(['WrappedError', 'NotRouter']);
    }));
});

describe.each([
  ['combined', () => combined],
  ['separate', () => separate],
] as const)('liquidity of the %s project', (_, plan) => {
  it.each([
    ['adding', 10n ** 12n, 'LiquidityClosed'],
    ['removing', -1n, 'LiquidityLocked'],
    ['collecting (a change of 0)', 0n, 'LiquidityLocked'],
  ] as const)('rejects %s by a third party', async (_what, delta, error) => {
    expect(await refusal(liquidity(plan(), delta))).toEqual(['WrappedError', error]);
  });
});

describe('the seeding entry point', () => {
  it('serves the router only, once', async () => {
    expect(await refusal(seed(world.stranger, combined.token, combined))).toEqual(['NotRouter']);
    expect(await refusal(seed(world.router, combined.token, combined))).toEqual(['WrongStage']);
    expect(await refusal(seed(world.stranger, separate.parts[0]!.account, separate))).toEqual(['NotAllowed']);
    expect(await refusal(seed(world.router, separate.parts[0]!.account, separate))).toEqual(['NotAllowed']);
  });

  it("accepts no callback except PoolManager's, and only while seeding", async () => {
    const callback = (from: Address): Transaction => ({
      from,
      to: combined.token,
      data: encodeCall('Native20', 'unlockCallback', ['0x']),
    });
    expect(await refusal(callback(world.stranger))).toEqual(['NotPoolManager']);
    expect(await refusal(callback(world.poolManager))).toEqual(['WrongStage']);
  });

  it('checks value, pool and price between initialisation and seeding', () =>
    inSnapshot(world.chain, async () => {
      // A contract whose router is an ordinary account: the state between the two steps, held still.
      const router = world.stranger;
      const factory = await world.chain.deploy(world.stranger, artifact('Factory'));
      const initCode = initCodeOf('Native20', [
        { ...feeConfig(world, {}), router },
        'Between',
        'BTW',
        supply,
        tickLower,
        tickUpper,
      ]);
      const salt = mineSalt(factory, keccak256(initCode), world.stranger);
      const token = create2(factory, salt, initCode);
      await world.chain.send({ from: router, to: factory, data: encodeCall('Factory', 'make', [salt, initCode]) });
      const between: Plan = { ...combined, token, poolKey: { ...combined.poolKey, currency1: token, hooks: token } };
      expect(await refusal(seed(router, token, between))).toEqual(['WrongStage']);
      await world.chain.send(poolManagerTx(world, router, 'initialize', [between.poolKey, price]));
      expect(await refusal(seed(router, token, between, price, 1n))).toEqual(['NativeSeedNotAllowed']);
      expect(await refusal(seed(router, token, combined))).toEqual(['WrongPool']);
      expect(await refusal(seed(router, token, between, price + 1n))).toEqual(['WrongPrice']);
      expect(await refusal(liquidity(between, 10n ** 12n))).toEqual(['WrappedError', 'LiquidityClosed']);
      await world.chain.send(seed(router, token, between));
      expect(await refusal(seed(router, token, between))).toEqual(['WrongStage']);
    }));
});

describe('The hook callbacks', () => {
  const swapParams = { zeroForOne: true, amountSpecified: -1n, sqrtPriceLimitX96: 1n };
  it('come from PoolManager only', async () => {
    const calls = [
      encodeCall('Native20', 'beforeInitialize', [world.router, combined.poolKey, price]),
      encodeCall('Native20', 'beforeSwap', [world.trader, combined.poolKey, swapParams, '0x']),
      encodeCall('Native20', 'afterSwap', [world.trader, combined.poolKey, swapParams, 0n, '0x']),
    ];
    for (const data of calls)
      expect(await refusal({ from: world.stranger, to: combined.hook, data })).toEqual(['NotPoolManager']);
  });

  it('serve their own pool only', async () => {
    const data = encodeCall('Native20', 'beforeSwap', [world.trader, separate.poolKey, swapParams, '0x']);
    expect(await refusal({ from: world.poolManager, to: combined.hook, data })).toEqual(['WrongPool']);
  });

  it('match the low 14 bits of the address', () => {
    for (const { hook } of [combined, separate]) expect(toHex(BigInt(hook) & 0x3fffn)).toBe('0x2acc');
  });
});
