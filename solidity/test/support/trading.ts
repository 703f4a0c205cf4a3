/** Trades by a third party, each held to the fee formulas to the wei. */
import { expect } from '@jest/globals';
import type { Hex } from 'viem';
import type { Transaction } from './chain.js';
import type { Plan } from './plan.js';
import { encodeCall, eventsOf } from './world.js';
import type { World } from './world.js';

export type Side = 'buy' | 'sell';
export type Form = 'exactIn' | 'exactOut';

const platformFeeBps = 20n;
const bps = 10_000n;
const lowestLimit = 4_295_128_740n;
const highestLimit = 1461446703485210103287273052203988822378723970341n;

const ceilDiv = (a: bigint, b: bigint) => (a + b - 1n) / b;

/**
 * Both fees of a trade: 20 basis points and the creator's of that side, on the gross native amount, each rounded down.
 * @param amount what the trader named; @param poolNative native wei the pool itself moved
 */
export function expectedFees(
  launch: Pick<Plan, 'buyFeeBps' | 'sellFeeBps'>,
  side: Side,
  form: Form,
  amount: bigint,
  poolNative: bigint,
): [platform: bigint, creator: bigint] {
  const creatorBps = side === 'buy' ? launch.buyFeeBps : launch.sellFeeBps;
  const nativeNamed = (side === 'buy') === (form === 'exactIn');
  const native = nativeNamed ? amount : poolNative;
  const gross = form === 'exactIn' ? native : ceilDiv(native * bps, bps - platformFeeBps - creatorBps);
  return [(gross * platformFeeBps) / bps, (gross * creatorBps) / bps];
}

/** Returns the vault's debts to the platform and the creator, and its claims. */
export const vaultState = async (world: World, launch: Plan): Promise<[bigint, bigint, bigint]> => [
  await world.chain.read<bigint>(launch.vault, 'FeeVault', 'owed', [world.platform]),
  await world.chain.read<bigint>(launch.vault, 'FeeVault', 'owed', [world.creator]),
  await world.chain.read<bigint>(world.poolManager, 'PoolManager', 'balanceOf', [launch.vault, 0n]),
];

export function swapTx(
  world: World,
  launch: Plan,
  side: Side,
  form: Form,
  amount: bigint,
  limit?: bigint,
): Transaction {
  const zeroForOne = side === 'buy';
  const sqrtPriceLimitX96 = limit ?? (zeroForOne ? lowestLimit : highestLimit);
  const amountSpecified = form === 'exactIn' ? -amount : amount;
  const data: Hex = encodeCall('Trader', 'swap', [launch.poolKey, { zeroForOne, amountSpecified, sqrtPriceLimitX96 }]);
  return { from: world.stranger, to: world.trader, data };
}

/** Trades and checks every fee; returns the pool's price afterwards and what the pool moved. */
export async function trade(world: World, launch: Plan, side: Side, form: Form, amount: bigint, limit?: bigint) {
  const before = await vaultState(world, launch);
  const receipt = await world.chain.send(swapTx(world, launch, side, form, amount, limit));
  const after = await vaultState(world, launch);
  const pool = eventsOf(receipt, 'PoolManager', world.poolManager).find((e) => e.eventName === 'Swap')!.args as {
    amount0: bigint;
    amount1: bigint;
    sqrtPriceX96: bigint;
  };
  const trader = eventsOf(receipt, 'Trader', world.trader)[0]!.args as { nativeDelta: bigint; tokenDelta: bigint };
  const [platform, creator] = expectedFees(
    launch,
    side,
    form,
    amount,
    pool.amount0 < 0n ? -pool.amount0 : pool.amount0,
  );
  const seen = {
    platform: after[0] - before[0],
    creator: after[1] - before[1],
    claims: after[2] - before[2],
    native: trader.nativeDelta,
    token: trader.tokenDelta,
  };
  expect(seen).toEqual({
    platform,
    creator,
    claims: platform + creator,
    native: pool.amount0 - platform - creator,
    token: pool.amount1,
  });
  if ((side === 'buy') === (form === 'exactIn')) expect(trader.nativeDelta).toBe(side === 'buy' ? -amount : amount);
  const accrued = eventsOf(receipt, 'FeeVault', launch.vault).map((e) => e.args);
  expect(accrued).toEqual(platform + creator === 0n ? [] : [{ platformFee: platform, creatorFee: creator }]);
  return { price: pool.sqrtPriceX96, native: pool.amount0, token: pool.amount1 };
}
