import { EvmError } from '../evm.error.js';
import { sqrtPriceAtTick } from './tick-price.js';

export const Q96 = 2n ** 96n;
/** Uniswap V4 keeps token and liquidity deltas as signed 128-bit integers. */
export const MAX_INT128 = 2n ** 127n - 1n;

/**
 * Returns the liquidity of a position below the pool's price, which holds only currency1, the token: floor(inventoryRaw
 * * 2^96 / (sqrtUpper - sqrtLower)) (docs/reference/economics.md#inventory-position).
 *
 * @param inventoryRaw raw token units, 1 to 2^127 - 1.
 * @throws {EvmError} `TICK_OUT_OF_RANGE`, `TICK_RANGE_INVALID` for unordered ticks, `LIQUIDITY_INPUT_INVALID`.
 */
export function tokenOnlyLiquidity(inventoryRaw: bigint, tickLower: number, tickUpper: number): bigint {
  if (inventoryRaw <= 0n || inventoryRaw > MAX_INT128) throw new EvmError('LIQUIDITY_INPUT_INVALID', 'inventoryRaw');
  const { lower, upper } = prices(tickLower, tickUpper);
  return (inventoryRaw * Q96) / (upper - lower);
}

/**
 * Returns the raw token units that the pool takes for such a position, rounded up as Uniswap V4 rounds amounts owed to
 * it: ceil(liquidity * (sqrtUpper - sqrtLower) / 2^96). Throws like `tokenOnlyLiquidity`.
 */
export function currency1ForLiquidity(liquidity: bigint, tickLower: number, tickUpper: number): bigint {
  requireLiquidity(liquidity);
  const { lower, upper } = prices(tickLower, tickUpper);
  return ceilDiv(liquidity * (upper - lower), Q96);
}

/**
 * Returns the wei that the pool takes for a position above its price, which holds only currency0. Rounds up twice, as
 * Uniswap V4 does: ceil(ceil(liquidity * 2^96 * (sqrtUpper - sqrtLower) / sqrtUpper) / sqrtLower).
 */
export function currency0ForLiquidity(liquidity: bigint, tickLower: number, tickUpper: number): bigint {
  requireLiquidity(liquidity);
  const { lower, upper } = prices(tickLower, tickUpper);
  return currency0Between(liquidity, lower, upper);
}

/** Returns the same amount between two square root prices. `lower` must not exceed `upper`. */
export function currency0Between(liquidity: bigint, lower: bigint, upper: bigint): bigint {
  return ceilDiv(ceilDiv(liquidity * Q96 * (upper - lower), upper), lower);
}

function prices(tickLower: number, tickUpper: number): { lower: bigint; upper: bigint } {
  const lower = sqrtPriceAtTick(tickLower);
  const upper = sqrtPriceAtTick(tickUpper);
  if (lower >= upper) throw new EvmError('TICK_RANGE_INVALID', 'tickUpper');
  return { lower, upper };
}

function requireLiquidity(liquidity: bigint): void {
  if (liquidity < 0n || liquidity > MAX_INT128) throw new EvmError('LIQUIDITY_INPUT_INVALID', 'liquidity');
}

export function ceilDiv(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
