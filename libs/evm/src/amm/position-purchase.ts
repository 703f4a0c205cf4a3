import { ceilDiv, currency0Between, MAX_INT128, Q96 } from './liquidity.js';
import { MIN_SQRT_PRICE, sqrtPriceAtTick } from './tick-price.js';
import type { TickRange } from './tick-range.js';

const MAX_UINT256 = 2n ** 256n - 1n;
/**
 * Ticks of one spacing that share a word of the pool's bitmap. A swap rounds once at every border between two words.
 */
const TICKS_OF_A_WORD = 256;
/** The most native currency that a pool settles in one purchase, in wei. */
export const MAX_PURCHASE_WEI = MAX_INT128;
/** The lowest price to which the router buys. */
const LOWEST_PRICE_LIMIT = MIN_SQRT_PRICE + 1n;

/** The only liquidity of a pool whose price equals the position's upper tick. */
export interface UntouchedPosition extends TickRange {
  readonly liquidity: bigint;
}

/** The result of a purchase from a pool without fees; price in Q64.96. */
export interface PositionPurchase {
  /** The wei that the pool took: less than the offer once the position is sold out. */
  readonly spentWei: bigint;
  readonly tokensOut: bigint;
  /** The price after the purchase: the router's limit once the position is sold out. */
  readonly sqrtPriceX96: bigint;
}

/**
 * Computes the first purchase from a position for an exact native amount and LP fee 0, with the integers and roundings
 * of Uniswap V4. `MAX_PURCHASE_WEI` bounds the amount that the position takes.
 *
 * @param offeredWei the amount that reaches the pool after the hook's fees; not negative.
 * @throws {EvmError} `TICK_OUT_OF_RANGE`.
 */
export function buyFromPosition(position: UntouchedPosition, offeredWei: bigint): PositionPurchase {
  const { liquidity, tickLower, tickUpper, tickSpacing } = position;
  let tick = tickUpper;
  let sqrtPriceX96 = sqrtPriceAtTick(tickUpper);
  let spentWei = 0n;
  let tokensOut = 0n;
  while (spentWei < offeredWei && tick > tickLower && sqrtPriceX96 > LOWEST_PRICE_LIMIT) {
    tick = Math.max(tickLower, firstTickOfWord(tick / tickSpacing - 1) * tickSpacing);
    const wordPrice = sqrtPriceAtTick(tick);
    const target = wordPrice > LOWEST_PRICE_LIMIT ? wordPrice : LOWEST_PRICE_LIMIT;
    const step = buyStep(sqrtPriceX96, target, liquidity, offeredWei - spentWei);
    ({ sqrtPriceX96 } = step);
    spentWei += step.spentWei;
    tokensOut += step.tokensOut;
  }
  // No liquidity holds the price once the position is sold out.
  return { spentWei, tokensOut, sqrtPriceX96: spentWei < offeredWei ? LOWEST_PRICE_LIMIT : sqrtPriceX96 };
}

const firstTickOfWord = (compressed: number): number => Math.floor(compressed / TICKS_OF_A_WORD) * TICKS_OF_A_WORD;

/** Computes `SwapMath.computeSwapStep` for a buy of exact input without a fee. */
function buyStep(current: bigint, target: bigint, liquidity: bigint, remaining: bigint): PositionPurchase {
  const toTarget = currency0Between(liquidity, target, current);
  const isReached = remaining >= toTarget;
  const next = isReached ? target : priceAfterInput(current, liquidity, remaining);
  return {
    spentWei: isReached ? toTarget : remaining,
    tokensOut: (liquidity * (current - next)) / Q96,
    sqrtPriceX96: next,
  };
}

/**
 * Computes `SqrtPriceMath.getNextSqrtPriceFromAmount0RoundingUp` for an addition. A product that overflows 256 bits in
 * Solidity takes the same alternative branch here.
 */
function priceAfterInput(current: bigint, liquidity: bigint, amount: bigint): bigint {
  const numerator = liquidity * Q96;
  const product = amount * current;
  const denominator = numerator + product;
  if (denominator <= MAX_UINT256) return ceilDiv(numerator * current, denominator);
  return ceilDiv(numerator, numerator / current + amount);
}
