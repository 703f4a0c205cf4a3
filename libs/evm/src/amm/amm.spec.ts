import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MAX_INT128, currency0ForLiquidity, currency1ForLiquidity, tokenOnlyLiquidity } from './liquidity.js';
import { MAX_SQRT_PRICE, MAX_TICK, MIN_SQRT_PRICE, MIN_TICK, sqrtPriceAtTick } from './tick-price.js';
import { checkTickRange, maxLiquidityPerTick, maxUsableTick, minUsableTick } from './tick-range.js';

const FUZZ_FACTOR = Number(process.env['FUZZ_FACTOR'] ?? 1);

const SCALE = 2n ** 512n;

function squareRoot(value: bigint): bigint {
  let root = 1n << BigInt(Math.ceil(value.toString(2).length / 2));
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

/** Computes 1.0001^(tick / 2) * 2^96 by exponentiation of one root at 512 bits, without the product of constants. */
function reference(tick: number): bigint {
  let base = squareRoot(((SCALE * 10001n) / 10000n) * SCALE);
  if (tick < 0) base = (SCALE * SCALE) / base;
  let result = SCALE;
  for (let rest = Math.abs(tick); rest > 0; rest >>= 1) {
    if (rest & 1) result = (result * base) / SCALE;
    base = (base * base) / SCALE;
  }
  return (result * 2n ** 96n) / SCALE;
}

describe('sqrtPriceAtTick', () => {
  it.each([
    [MIN_TICK, MIN_SQRT_PRICE],
    [MIN_TICK + 1, 4295343490n],
    [-1, 79224201403219477170569942574n],
    [0, 79228162514264337593543950336n],
    [1, 79232123823359799118286999568n],
    [60, 79466191966197645195421774833n],
    [MAX_TICK - 1, 1461373636630004318706518188784493106690254656249n],
    [MAX_TICK, MAX_SQRT_PRICE],
  ])('is exact at tick %i', (tick, price) => expect(sqrtPriceAtTick(tick)).toBe(price));

  it.each([MIN_TICK - 1, MAX_TICK + 1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])('refuses %d', (tick) => {
    expect(() => sqrtPriceAtTick(tick)).toThrow(
      expect.objectContaining({ code: 'TICK_OUT_OF_RANGE' }) as unknown as Error,
    );
  });

  it('prices each single bit of a tick within 2^-90 of the true price', () => {
    for (let bit = 0; bit < 20; bit += 1) {
      for (const tick of [2 ** bit, -(2 ** bit)]) expectClose(tick);
    }
  });

  it('stays close to the true price and rises strictly', () => {
    fc.assert(
      fc.property(fc.integer({ min: MIN_TICK, max: MAX_TICK - 1 }), (tick) => {
        expectClose(tick);
        expect(sqrtPriceAtTick(tick + 1)).toBeGreaterThan(sqrtPriceAtTick(tick));
      }),
      { verbose: 1, numRuns: 200 * FUZZ_FACTOR },
    );
  });
});

/**
 * Rounding up to Q64.96 costs at most one unit; twenty factors of 128 bits cost a relative 2^-90, and far less near
 * zero.
 */
function expectClose(tick: number): void {
  const [actual, expected] = [sqrtPriceAtTick(tick), reference(tick)];
  const difference = actual > expected ? actual - expected : expected - actual;
  expect(difference <= 1n + (expected >> 60n)).toBe(true);
}

describe('Tick ranges', () => {
  it.each([
    ['a usable range', -887220, 887220, 60, []],
    ['no spacing', 0, 60, 0, ['TICK_SPACING_OUT_OF_RANGE tickSpacing']],
    ['the widest spacing', -32767, 32767, 32767, []],
    ['too wide a spacing', 0, 32768, 32768, ['TICK_SPACING_OUT_OF_RANGE tickSpacing']],
    ['misaligned ticks', -1, 61, 60, ['TICK_NOT_ALIGNED tickLower', 'TICK_NOT_ALIGNED tickUpper']],
    ['equal ticks', 60, 60, 60, ['TICKS_NOT_ORDERED tickUpper']],
    ['ticks beyond the bounds', -887273, 887273, 1, ['TICK_OUT_OF_RANGE tickLower', 'TICK_OUT_OF_RANGE tickUpper']],
    ['the maximum tick', 0, 887272, 1, ['TICK_UPPER_AT_MAXIMUM tickUpper']],
    ['just below the maximum tick', -887272, 887271, 1, []],
    ['a fraction', 0.5, 60, 60, ['TICK_NOT_AN_INTEGER tickLower']],
  ])('get the expected findings for %s', (_name, tickLower, tickUpper, tickSpacing, expected) => {
    const found = checkTickRange({ tickLower, tickUpper, tickSpacing });
    expect(found.map(({ code, field }) => `${code} ${field}`)).toEqual(expected);
  });

  it('have outermost usable ticks inside the bounds', () => {
    expect([minUsableTick(60), maxUsableTick(60)]).toEqual([-887220, 887220]);
    expect([minUsableTick(1), maxUsableTick(1)]).toEqual([MIN_TICK, MAX_TICK]);
    expect(() => maxUsableTick(0)).toThrow(
      expect.objectContaining({ code: 'TICK_SPACING_INVALID' }) as unknown as Error,
    );
  });

  it.each([
    [1, 887272 + 887272 + 1],
    [10, 88727 + 88728 + 1],
    [60, 14787 + 14788 + 1],
    [200, 4436 + 4437 + 1],
    [32767, 27 + 28 + 1],
  ])('limit the liquidity of a tick at spacing %i to its share among %i ticks', (spacing, ticks) => {
    expect(maxLiquidityPerTick(spacing)).toBe((2n ** 128n - 1n) / BigInt(ticks));
  });
});

describe('Token-only liquidity', () => {
  it('is the floor of the formula, and its settlement never exceeds the inventory', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: MAX_INT128 }),
        fc.integer({ min: MIN_TICK, max: MAX_TICK }),
        fc.integer({ min: MIN_TICK, max: MAX_TICK }),
        (inventory, one, other) => {
          fc.pre(one !== other);
          const [lower, upper] = one < other ? [one, other] : [other, one];
          const liquidity = tokenOnlyLiquidity(inventory, lower, upper);
          const span = sqrtPriceAtTick(upper) - sqrtPriceAtTick(lower);
          expect(liquidity * span <= inventory * 2n ** 96n && (liquidity + 1n) * span > inventory * 2n ** 96n).toBe(
            true,
          );
          if (liquidity > MAX_INT128) return;
          const settled = currency1ForLiquidity(liquidity, lower, upper);
          expect(settled <= inventory).toBe(true);
          expect(settled * 2n ** 96n >= liquidity * span && (settled - 1n) * 2n ** 96n < liquidity * span).toBe(true);
        },
      ),
      { verbose: 1, numRuns: 100 * FUZZ_FACTOR },
    );
  });

  it('rounds up the amount owed to the pool', () => {
    expect(currency1ForLiquidity(1n, 0, 60)).toBe(1n);
    expect(currency0ForLiquidity(1n, 0, 60)).toBe(1n);
    expect(currency1ForLiquidity(0n, 0, 60)).toBe(0n);
    expect(currency0ForLiquidity(10n ** 18n, 0, 60)).toBe(2995354955910781n);
  });

  it.each([
    ['no inventory', () => tokenOnlyLiquidity(0n, 0, 60), 'LIQUIDITY_INPUT_INVALID'],
    ['an inventory beyond int128', () => tokenOnlyLiquidity(MAX_INT128 + 1n, 0, 60), 'LIQUIDITY_INPUT_INVALID'],
    ['unordered ticks', () => tokenOnlyLiquidity(1n, 60, 0), 'TICK_RANGE_INVALID'],
    ['equal ticks', () => currency1ForLiquidity(1n, 60, 60), 'TICK_RANGE_INVALID'],
    ['negative liquidity', () => currency0ForLiquidity(-1n, 0, 60), 'LIQUIDITY_INPUT_INVALID'],
  ])('refuses %s', (_name, run, code) => {
    expect(run).toThrow(expect.objectContaining({ code }) as unknown as Error);
  });
});
