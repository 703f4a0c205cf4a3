import { describe, expect, it } from '@jest/globals';
import { etherOf, priceNative } from './native-price.js';

const ONE = 2n ** 96n;

describe('A price in native currency', () => {
  it.each([
    ['a wei a unit', ONE, 18, '1'],
    ['four units a wei', 2n * ONE, 18, '0.25'],
    ['a unit four wei', ONE / 2n, 18, '4'],
    ['a thousand units a wei of a token with 6 decimals', 1_000n * ONE, 6, '0.000000000000000001'],
    ['a ninth, cut off after 36 decimals', 3n * ONE, 18, `0.${'1'.repeat(36)}`],
  ])('is computed for %s', (_, sqrtPriceX96, decimals, price) => {
    expect(priceNative(sqrtPriceX96, decimals)).toBe(price);
  });

  it('has at most 96 characters at both ends of V4’s prices', () => {
    for (const end of [4_295_128_739n, 1461446703485210103287273052203988822378723970342n])
      expect(priceNative(end, 18)).toMatch(/^[0-9]+(\.[0-9]{1,36})?$/);
  });

  it('is null for a token without decimals, without a price, or with too many decimals to show', () => {
    expect([priceNative(ONE, null), priceNative(0n, 18), priceNative(ONE, 255)]).toEqual([null, null, null]);
  });

  it('counts ether to the wei', () => {
    expect([0n, 1n, 10n ** 18n, 1_500_000_000_000_000_000n].map(etherOf)).toEqual([
      '0',
      '0.000000000000000001',
      '1',
      '1.5',
    ]);
  });
});
