import { describe, expect, it } from '@jest/globals';
import { humanAmount, humanBasisPoints, relativeTime, shortened } from './units.js';

describe('An amount in human units', () => {
  it.each([
    [0n, 18, '0'],
    [1n, 18, '0.000000000000000001'],
    [10n ** 18n, 18, '1'],
    [1_234_567n * 10n ** 18n, 18, '1,234,567'],
    [1_500_000_000_000_000_000n, 18, '1.5'],
    [123_450_000_000_000n, 18, '0.0001234'],
    [-25n * 10n ** 17n, 18, '-2.5'],
    [42n, 0, '42'],
  ])('shows %s with %s decimals as %s', (raw, decimals, shown) => {
    expect(humanAmount(raw, decimals)).toBe(shown);
  });
});

describe('Other values', () => {
  it('are percentages for basis points', () => {
    expect([humanBasisPoints(30), humanBasisPoints(100)]).toEqual(['0.3%', '1%']);
  });
  it('leave out the middle of an address', () => {
    expect(shortened(`0x${'ab'.repeat(20)}`)).toBe('0xabab…abab');
  });
  it.each([
    [-5_000, 'just now'],
    [-90_000, '1 minute ago'],
    [7_200_000, 'in 2 hours'],
  ])('name %s milliseconds from now "%s"', (distance, said) => {
    expect(relativeTime(1_000_000_000 + distance, 1_000_000_000)).toBe(said);
  });
});
