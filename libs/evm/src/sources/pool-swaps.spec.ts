import { describe, expect, it } from '@jest/globals';
import { encodeAbiParameters, numberToHex, parseAbiParameters } from 'viem/utils';
import type { Hex } from '../encoding/hex.js';
import {
  chargeFilter,
  FOUNDATION_SWAP_TOPIC,
  POOL_SWAP_TOPIC,
  swapFilter,
  swapsOf,
  tradedPoolIds,
  type PlacedLog,
  type TradedPool,
} from './pool-swaps.js';

const word = (seed: number): Hex => numberToHex(seed, { size: 32 });
const account = (seed: number): Hex => numberToHex(seed, { size: 20 });
const POOL: TradedPool = { poolId: word(1), poolManager: account(2), hook: account(3), token: account(4) };
const OTHER: TradedPool = { ...POOL, poolId: word(5), hook: account(6), token: account(7) };
const CALLER = account(8);
const pools = new Map([POOL, OTHER].map((pool) => [pool.poolId, pool]));
const place = (logIndex: number) => ({
  blockNumber: 100n,
  blockHash: word(9),
  transactionHash: word(10),
  logIndex: BigInt(logIndex),
});
const swap = (logIndex: number, change: Partial<PlacedLog> = {}, amount0 = -1_000n): PlacedLog => ({
  address: POOL.poolManager,
  topics: [POOL_SWAP_TOPIC, POOL.poolId, word(8)],
  data: encodeAbiParameters(parseAbiParameters('int128, int128, uint160, uint128, int24, uint24'), [
    amount0,
    5_000n,
    2n ** 96n,
    77n,
    -12,
    0,
  ]),
  ...place(logIndex),
  ...change,
});
const charged = (logIndex: number, change: Partial<PlacedLog> = {}, amount0 = -1_000n): PlacedLog => ({
  address: POOL.hook,
  topics: [FOUNDATION_SWAP_TOPIC, POOL.poolId, word(8)],
  data: encodeAbiParameters(parseAbiParameters('bool, bool, uint256, uint256, uint256, int128, int128'), [
    true,
    true,
    1_040n,
    3n,
    37n,
    amount0,
    5_000n,
  ]),
  ...place(logIndex),
  ...change,
});
const CHARGE = { gross: 1_040n, platform: 3n, creator: 37n };

describe('trades of known pools', () => {
  it('come from PoolManager’s events, with the caller and the resulting pool price', () => {
    expect(swapsOf([swap(3)], pools)).toEqual([
      {
        pool: POOL,
        log: swap(3),
        caller: CALLER,
        amount0: -1_000n,
        amount1: 5_000n,
        sqrtPriceX96: 2n ** 96n,
        liquidity: 77n,
        tick: -12,
        charge: null,
      },
    ]);
  });

  it('count once if the hook reports them too, which adds the charged fees', () => {
    const reported = swapsOf([swap(3), charged(4), swap(5, {}, -2_000n), charged(6, {}, -2_000n)], pools);
    expect(reported.map(({ amount0, charge }) => [amount0, charge])).toEqual([
      [-1_000n, CHARGE],
      [-2_000n, CHARGE],
    ]);
  });

  it.each([
    ['another emitter’s', [swap(3, { address: account(99) })]],
    ['an unknown pool’s', [swap(3, { topics: [POOL_SWAP_TOPIC, word(99), word(8)] })]],
    ['one that cannot be decoded', [swap(3, { data: '0x12' })]],
    ['a hook’s alone', [charged(4)]],
  ])('do not include %s', (_, logs) => {
    expect(swapsOf(logs, pools)).toEqual([]);
  });

  it.each([
    ['of another hook', charged(4, { address: OTHER.hook })],
    ['of another transaction', charged(4, { transactionHash: word(99) })],
    ['of another block', charged(4, { blockHash: word(99) })],
    ['of another caller', charged(4, { topics: [FOUNDATION_SWAP_TOPIC, POOL.poolId, word(98)] })],
    ['of other amounts', charged(4, {}, -999n)],
    ['that cannot be decoded', charged(4, { data: '0x12' })],
  ])('take nothing from an account %s', (_, log) => {
    expect(swapsOf([swap(3), log], pools).map(({ charge }) => charge)).toEqual([null]);
  });

  it('are queried by manager for all pools, or by pool if that returns too much', () => {
    expect(swapFilter([POOL.poolManager, OTHER.poolManager])).toEqual({
      addresses: [POOL.poolManager],
      topics: [POOL_SWAP_TOPIC],
    });
    expect(swapFilter([POOL.poolManager], [POOL.poolId])).toMatchObject({ second: [POOL.poolId] });
    expect(chargeFilter([POOL.hook, POOL.hook, OTHER.hook])).toEqual({
      addresses: [POOL.hook, OTHER.hook],
      topics: [FOUNDATION_SWAP_TOPIC],
    });
  });

  it('name their pools once each, including unknown ones', () => {
    const strange = swap(5, { topics: [POOL_SWAP_TOPIC, word(99), word(8)] });
    expect(tradedPoolIds([swap(3), swap(4), strange, charged(6)])).toEqual([POOL.poolId, word(99)]);
  });

  it('are read in linear time if a hook reports 100,000 trades that never happened', () => {
    const trades = Array.from({ length: 20_000 }, (_, at) => swap(at));
    const reported = Array.from({ length: 100_000 }, (_, at) => charged(20_000 + at, { transactionHash: word(11) }));
    const begun = performance.now();
    expect(swapsOf([...trades, ...reported], pools)).toHaveLength(20_000);
    expect(performance.now() - begun).toBeLessThan(10_000);
  });
});
