import { formatUnits, parseUnits } from 'viem/utils';

/** Decimals of every token of the two recipes, and of the native currency. */
export const DECIMALS = 18;

/** A typed amount: digits, an optional fraction, and its unit. */
const TYPED = /^([0-9]{1,60})(?:\.([0-9]{1,18}))? (tokens?|base units?)$/;

/**
 * Reads `21000000 tokens`, `0.5 tokens` or `1 base unit`. A number without its unit is ambiguous. Returns null for any other
 * text, and for a fraction of a base unit.
 */
export function parseTokenAmount(text: string): bigint | null {
  const [, whole, fraction = '', unit] = TYPED.exec(text) ?? [];
  if (whole === undefined || unit === undefined) return null;
  if (unit.startsWith('base')) return fraction === '' ? BigInt(whole) : null;
  // At most as many digits as decimals, so nothing is rounded.
  return parseUnits(`${whole}.${fraction}`, DECIMALS);
}

/** Base units as an exact decimal number of tokens or ether, without trailing zeros. */
export const decimalOfUnits = (units: bigint): string => formatUnits(units, DECIMALS);

/** Returns a ratio as a decimal number of at most `digits` significant digits, rounded half up. Whole digits are never cut. */
export function decimalOfRatio(dividend: bigint, divisor: bigint, digits: number): string {
  if (dividend === 0n) return '0';
  let places = digits - String(dividend / divisor).length;
  if (dividend < divisor) {
    // Leading zeros after the point are not significant.
    places = digits;
    for (let scaled = dividend * 10n; scaled < divisor; scaled *= 10n) places += 1;
  }
  places = Math.max(0, places);
  const scale = 10n ** BigInt(places);
  const rounded = (2n * dividend * scale + divisor) / (2n * divisor);
  const fraction = (rounded % scale).toString().padStart(places, '0').replace(/0+$/, '');
  return places === 0 || fraction === '' ? String(rounded / scale) : `${rounded / scale}.${fraction}`;
}

/** Formats `1234567.5` as `1,234,567.5`. */
export const grouped = (decimal: string): string => decimal.replace(/\B(?=(?:\d{3})+(?!\d))(?<!\.\d*)/g, ',');
