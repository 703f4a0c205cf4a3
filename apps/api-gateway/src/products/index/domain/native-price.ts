const WEI_DECIMALS = 18;
const PRICE_DECIMALS = 36;
const Q192 = 2n ** 192n;
/** The longest number in an answer. */
const MAX_CHARACTERS = 96;

/** Formats an integer with the given decimals as a decimal fraction, without trailing zeros. */
function fraction(value: bigint, decimals: number): string {
  const digits = value.toString().padStart(decimals + 1, '0');
  const [whole, rest] = [digits.slice(0, -decimals), digits.slice(-decimals).replace(/0+$/, '')];
  return rest === '' ? whole : `${whole}.${rest}`;
}

/** Formats wei as ether, exactly. */
export const etherOf = (wei: bigint): string => fraction(wei, WEI_DECIMALS);

/**
 * Returns the ether for one whole token at a pool of native currency and token, truncated after 36 decimals. The pool's
 * price is token units for one wei, as its square root times 2^96. Null for a token without decimals, and for a number too
 * long to show.
 */
export function priceNative(sqrtPriceX96: bigint, decimals: number | null): string | null {
  if (decimals === null || sqrtPriceX96 === 0n) return null;
  const scaled = Q192 * 10n ** BigInt(decimals + PRICE_DECIMALS - WEI_DECIMALS);
  const text = fraction(scaled / (sqrtPriceX96 * sqrtPriceX96), PRICE_DECIMALS);
  return text.length > MAX_CHARACTERS ? null : text;
}
