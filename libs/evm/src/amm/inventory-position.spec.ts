import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { inventoryPosition } from './inventory-position.js';
import { currency1ForLiquidity, MAX_INT128 } from './liquidity.js';
import { MAX_TICK, MIN_TICK, sqrtPriceAtTick } from './tick-price.js';
import { maxLiquidityPerTick } from './tick-range.js';

const FUZZ_FACTOR = Number(process.env['FUZZ_FACTOR'] ?? 1);

const RANGE = { tickLower: 60_000, tickUpper: 184_200, tickSpacing: 60 };

describe('an inventory position', () => {
  it('starts at the upper tick with the floor of the formula', () => {
    const inventoryRaw = 10n ** 27n;
    const span = sqrtPriceAtTick(184_200) - sqrtPriceAtTick(60_000);
    const liquidity = (inventoryRaw * 2n ** 96n) / span;
    const settledRaw = (liquidity * span + 2n ** 96n - 1n) / 2n ** 96n;
    expect(inventoryPosition(inventoryRaw, RANGE)).toEqual({
      ok: true,
      position: {
        sqrtPriceX96: sqrtPriceAtTick(184_200),
        liquidity,
        settledRaw,
        residueRaw: inventoryRaw - settledRaw,
      },
    });
  });

  it('never settles more than the inventory and stays inside both limits for every input', () => {
    const spacings = fc.integer({ min: 1, max: 32_767 });
    const magnitudes = fc
      .tuple(fc.bigInt({ min: 1n, max: MAX_INT128 }), fc.integer({ min: 0, max: 126 }))
      .map(([value, shift]) => value >> BigInt(shift));
    let accepted = 0;
    fc.assert(
      fc.property(spacings, fc.nat(), fc.nat(), magnitudes, (tickSpacing, one, other, inventoryRaw) => {
        const count = Math.floor((MAX_TICK - MIN_TICK) / tickSpacing) - 1;
        const first = Math.ceil(MIN_TICK / tickSpacing);
        const [low, high] = [first + (one % count), first + (other % count)].sort((a, b) => a - b) as [number, number];
        fc.pre(low < high && high * tickSpacing < MAX_TICK);
        const result = inventoryPosition(inventoryRaw, {
          tickLower: low * tickSpacing,
          tickUpper: high * tickSpacing,
          tickSpacing,
        });
        if (!result.ok) {
          expect(result.faults.map(({ field }) => field)).toEqual(['inventoryRaw']);
          return;
        }
        accepted += 1;
        const { liquidity, settledRaw, residueRaw } = result.position;
        expect(liquidity > 0n && liquidity <= MAX_INT128 && liquidity <= maxLiquidityPerTick(tickSpacing)).toBe(true);
        expect(settledRaw > 0n && residueRaw >= 0n && settledRaw + residueRaw === inventoryRaw).toBe(true);
      }),
      { verbose: 1, numRuns: 500 * FUZZ_FACTOR },
    );
    expect(accepted).toBeGreaterThan(50);
  });

  it.each([1, 10, 60, 200, 32_767])(
    'accepts exactly the liquidity of one tick at spacing %i, and not one unit more',
    (tickSpacing) => {
      // The range is so wide that one unit of liquidity costs more than one unit of inventory.
      const range = { tickLower: 0, tickUpper: Math.ceil(14_000 / tickSpacing) * tickSpacing, tickSpacing };
      const limit = maxLiquidityPerTick(tickSpacing);
      const costOf = (liquidity: bigint): bigint => currency1ForLiquidity(liquidity, range.tickLower, range.tickUpper);
      expect(inventoryPosition(costOf(limit), range)).toMatchObject({
        ok: true,
        position: { liquidity: limit, residueRaw: 0n },
      });
      expect(inventoryPosition(costOf(limit + 1n) - 1n, range)).toMatchObject({
        ok: true,
        position: { liquidity: limit },
      });
      expect(inventoryPosition(costOf(limit + 1n), range)).toMatchObject({
        ok: false,
        faults: [{ field: 'inventoryRaw' }],
      });
    },
  );

  it('accepts a single unit that buys liquidity, and the largest amount', () => {
    expect(inventoryPosition(1n, { tickLower: -60, tickUpper: 0, tickSpacing: 60 })).toMatchObject({
      ok: true,
      position: { settledRaw: 1n, residueRaw: 0n },
    });
    expect(inventoryPosition(MAX_INT128, { tickLower: 0, tickUpper: 887_220, tickSpacing: 60 })).toMatchObject({
      ok: true,
    });
  });

  it.each([
    ['no inventory', 0n, RANGE, ['inventoryRaw']],
    ['a negative inventory', -1n, RANGE, ['inventoryRaw']],
    ['an inventory beyond int128', MAX_INT128 + 1n, RANGE, ['inventoryRaw']],
    ['too little for one unit of liquidity', 1n, RANGE, ['inventoryRaw']],
    ['more than one tick may carry', MAX_INT128, RANGE, ['inventoryRaw']],
    ['liquidity beyond int128', MAX_INT128, { tickLower: 0, tickUpper: 1, tickSpacing: 1 }, ['inventoryRaw']],
    ['the maximum tick', 10n ** 27n, { tickLower: 0, tickUpper: MAX_TICK, tickSpacing: 1 }, ['tickUpper']],
    ['no spacing', 10n ** 27n, { ...RANGE, tickSpacing: 0 }, ['tickSpacing']],
    ['too wide a spacing', 10n ** 27n, { ...RANGE, tickSpacing: 32_768 }, ['tickSpacing']],
    [
      'misaligned ticks and no inventory at once',
      0n,
      { ...RANGE, tickLower: 60_001, tickUpper: 184_201 },
      ['tickLower', 'tickUpper', 'inventoryRaw'],
    ],
    ['ticks out of order', 10n ** 27n, { ...RANGE, tickLower: 184_260 }, ['tickUpper']],
  ])('is refused with %s', (_what, inventoryRaw, range, fields) => {
    const result = inventoryPosition(inventoryRaw, range);
    expect(result.ok ? [] : result.faults.map(({ field }) => field)).toEqual(fields);
  });
});
