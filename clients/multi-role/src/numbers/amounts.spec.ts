import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decimalOfRatio, decimalOfUnits, grouped, parseTokenAmount } from './amounts.js';

describe('an amount that a person types', () => {
  it.each<[string, bigint]>([
    ['21000000 tokens', 21_000_000n * 10n ** 18n],
    ['1 token', 10n ** 18n],
    ['0.5 tokens', 5n * 10n ** 17n],
    ['0.000000000000000001 tokens', 1n],
    ['1.10 tokens', 11n * 10n ** 17n],
    ['0 tokens', 0n],
    ['1 base unit', 1n],
    ['21000000 base units', 21_000_000n],
  ])('%s is %d base units', (text, units) => expect(parseTokenAmount(text)).toBe(units));

  it.each([
    '21000000',
    '21,000,000 tokens',
    '21_000_000 tokens',
    '1e9 tokens',
    '-1 tokens',
    '+1 tokens',
    '.5 tokens',
    '5. tokens',
    '0.0000000000000000001 tokens',
    '0.5 base units',
    '5 ether',
    'tokens',
    '',
    '5  tokens',
    '5 tokens ',
    '0x5 tokens',
    '٣ tokens',
  ])('is refused as %j', (text) => expect(parseTokenAmount(text)).toBeNull());

  it('is read back exactly as it was printed', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 160n }), (units) =>
        expect(parseTokenAmount(`${decimalOfUnits(units)} tokens`)).toBe(units),
      ),
      { verbose: 1 },
    );
  });
});

describe('a ratio for people', () => {
  it.each<[bigint, bigint, number, string]>([
    [1n, 3n, 6, '0.333333'],
    [2n, 3n, 6, '0.666667'],
    [1n, 300n, 6, '0.00333333'],
    [1n, 1n, 6, '1'],
    [123_456_789n, 1n, 3, '123456789'],
    [99_999_999n, 10n, 3, '10000000'],
    [5n, 4n, 2, '1.3'],
    [999_999n, 1_000_000n, 3, '1'],
    [1n, 10n ** 30n, 4, `0.${'0'.repeat(29)}1`],
    [0n, 7n, 4, '0'],
  ])('%d / %d in %d digits is %s', (dividend, divisor, digits, text) =>
    expect(decimalOfRatio(dividend, divisor, digits)).toBe(text),
  );
});

it.each([
  ['1234567.5', '1,234,567.5'],
  ['123', '123'],
  ['1000', '1,000'],
  ['0.1234567', '0.1234567'],
])('%s is grouped as %s', (plain, expected) => expect(grouped(plain)).toBe(expected));
