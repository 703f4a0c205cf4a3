/** Real swaps in all four forms: every fee to the wei, at the edges of rounding, under protocol fees, on an empty manager. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseEther } from 'viem';
import { planLaunch } from './support/plan.js';
import type { Plan, PlanOptions } from './support/plan.js';
import { swapTx, trade, vaultState } from './support/trading.js';
import type { Form, Side } from './support/trading.js';
import { inSnapshot, poolManagerTx, startTimeout, startWorld } from './support/world.js';
import type { World } from './support/world.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
}, startTimeout);
afterAll(() => world?.chain.close());

const forms: [Side, Form][] = [
  ['buy', 'exactIn'],
  ['buy', 'exactOut'],
  ['sell', 'exactIn'],
  ['sell', 'exactOut'],
];

/** Native amounts around which one or both fees round to another wei. */
const edges = [1n, 2n, 31n, 49n, 50n, 99n, 100n, 499n, 500n, 501n, 9_999n, 10_000n, 10_001n];

async function launched(options: PlanOptions): Promise<Plan> {
  const plan = await planLaunch(world, options);
  await world.chain.send(plan.tx);
  return plan;
}

/** A linear congruential generator: the seed alone reproduces a run. */
function randomAmounts(seed: bigint) {
  let state = seed;
  return (below: bigint) => {
    state = (state * 6364136223846793005n + 1442695040888963407n) % 2n ** 64n;
    return (state % below) + 1n;
  };
}

async function tradeAllForms(launch: Plan) {
  await trade(world, launch, 'buy', 'exactIn', parseEther('3'));
  await trade(world, launch, 'buy', 'exactOut', 10n ** 24n);
  await trade(world, launch, 'sell', 'exactIn', 10n ** 24n);
  await trade(world, launch, 'sell', 'exactOut', parseEther('0.5'));
}

const projects: [string, PlanOptions][] = [
  ['combined, creator 3 % and 5 %', { buyFeeBps: 300, sellFeeBps: 500 }],
  ['combined, creator 10 % and 0 %', { buyFeeBps: 1_000, sellFeeBps: 0 }],
  ['combined, creator 0 % and 10 %', { buyFeeBps: 0, sellFeeBps: 1_000 }],
  ['separate hook, creator 1 % and 10 %', { project: 'separate', buyFeeBps: 100, sellFeeBps: 1_000 }],
];

describe.each(projects)('The pool of a project (%s)', (_, options) => {
  it('charges exactly in all four forms, after a launch with a buy', () =>
    inSnapshot(world.chain, async () => {
      const launch = await launched({ ...options, initialBuyWei: parseEther('1') });
      await tradeAllForms(launch);
    }));

  it('rounds each fee down by itself at every edge', () =>
    inSnapshot(world.chain, async () => {
      const launch = await launched({ ...options, initialBuyWei: parseEther('1') });
      await trade(world, launch, 'buy', 'exactIn', parseEther('1'));
      for (const amount of edges) {
        await trade(world, launch, 'buy', 'exactIn', amount);
        await trade(world, launch, 'sell', 'exactOut', amount);
      }
    }));

  it('stays exact under protocol fees', () =>
    inSnapshot(world.chain, async () => {
      const launch = await launched({ ...options, initialBuyWei: parseEther('1') });
      await world.chain.send(poolManagerTx(world, world.owner, 'setProtocolFeeController', [world.owner]));
      await world.chain.send(
        poolManagerTx(world, world.owner, 'setProtocolFee', [launch.poolKey, 1_000 | (1_000 << 12)]),
      );
      await tradeAllForms(launch);
    }));
});

describe('Random trades', () => {
  const seed = BigInt(process.env['TEST_SEED'] ?? Date.now());
  it(`are charged exactly (TEST_SEED=${seed})`, () =>
    inSnapshot(world.chain, async () => {
      const random = randomAmounts(seed);
      const launch = await launched({
        initialBuyWei: parseEther('1'),
        buyFeeBps: Number(random(1_000n)),
        sellFeeBps: Number(random(1_000n)),
      });
      await trade(world, launch, 'buy', 'exactIn', parseEther('3'));
      for (let round = 0; round < 15; round++) {
        for (const [side, form] of forms) {
          const named = (side === 'buy') === (form === 'exactIn') ? 10n ** 16n : 10n ** 23n;
          await trade(world, launch, side, form, random(named));
        }
      }
    }));
});

describe('An empty PoolManager', () => {
  it.each<[Form, bigint]>([
    ['exactIn', parseEther('1')],
    ['exactOut', 10n ** 22n],
  ])(
    'receives its first ether from a third party by %s, and keeps the claims whole when everything is sold back',
    (form, amount) =>
      inSnapshot(world.chain, async () => {
        const launch = await launched({ buyFeeBps: 0, sellFeeBps: 1_000 });
        expect(await world.chain.balance(world.poolManager)).toBe(0n);
        await trade(world, launch, 'buy', form, amount);
        const bought = await world.chain.read<bigint>(launch.token, 'Native20', 'balanceOf', [world.trader]);
        await trade(world, launch, 'sell', 'exactIn', bought);
        const [, , claims] = await vaultState(world, launch);
        expect(claims).toBeGreaterThan(0n);
        expect(await world.chain.balance(world.poolManager)).toBeGreaterThanOrEqual(claims);
      }),
  );
});

describe('Partial fills', () => {
  it('are refused when the fee was fixed beforehand', () =>
    inSnapshot(world.chain, async () => {
      const launch = await launched({ initialBuyWei: parseEther('1') });
      const { price } = await trade(world, launch, 'buy', 'exactIn', parseEther('1'));
      const buy = swapTx(world, launch, 'buy', 'exactIn', parseEther('50'), (price * 99n) / 100n);
      const sell = swapTx(world, launch, 'sell', 'exactOut', parseEther('0.5'), (price * 10_001n) / 10_000n);
      const drain = swapTx(world, launch, 'sell', 'exactOut', parseEther('400'));
      for (const tx of [buy, sell, drain]) {
        expect(await world.chain.refusal(tx)).toEqual(['WrappedError', 'PartialFill']);
      }
    }));

  it('are charged on the traded amount when the trader named tokens', () =>
    inSnapshot(world.chain, async () => {
      const launch = await launched({ initialBuyWei: parseEther('1') });
      const { price } = await trade(world, launch, 'buy', 'exactIn', parseEther('1'));
      const bought = await trade(world, launch, 'buy', 'exactOut', 10n ** 26n, (price * 99n) / 100n);
      expect(bought.token).toBeLessThan(10n ** 26n);
      const sold = await trade(world, launch, 'sell', 'exactIn', 10n ** 25n, price);
      expect(-sold.token).toBeLessThan(10n ** 25n);
    }));
});

describe('An amount that no pool can settle', () => {
  it.each<[string, bigint]>([
    ['one above int128', 2n ** 127n],
    ['the largest int256', 2n ** 255n - 1n],
  ])('is refused before any charge when it is %s', (_, amount) =>
    inSnapshot(world.chain, async () => {
      const launch = await launched({ initialBuyWei: parseEther('1') });
      expect(await world.chain.refusal(swapTx(world, launch, 'sell', 'exactOut', amount))).toEqual([
        'WrappedError',
        'NativeAmountTooLarge',
      ]);
      expect(await world.chain.refusal(swapTx(world, launch, 'buy', 'exactIn', amount))).toEqual([
        'WrappedError',
        'NativeAmountTooLarge',
      ]);
    }),
  );
});
