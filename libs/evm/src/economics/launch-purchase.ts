import { buyFromPosition, MAX_PURCHASE_WEI, type UntouchedPosition } from '../amm/position-purchase.js';
import { PLATFORM_FEE_BPS } from './fee-kernel.js';

const BPS = 10_000n;

/** The result of the purchase inside a launch. Amounts in wei and raw token units, price in Q64.96. */
export interface LaunchPurchase {
  readonly platformFeeWei: bigint;
  readonly creatorFeeWei: bigint;
  /** The wei that remain for the pool after both fees. */
  readonly poolWei: bigint;
  readonly tokensOut: bigint;
  /** The pool's price after the purchase. */
  readonly sqrtPriceX96: bigint;
}

/** `mostWei`: the largest purchase that the position fills. `nothing`: the amount is too small for one raw unit. */
export type LaunchPurchaseResult =
  | { readonly ok: true; readonly purchase: LaunchPurchase }
  | { readonly ok: false; readonly fault: 'more-than-the-position'; readonly mostWei: bigint }
  | { readonly ok: false; readonly fault: 'nothing' };

/**
 * Computes the purchase of a launch exactly. The hook takes both fees from the gross amount and rounds each down
 * separately. The rest buys from the one position, whole or not at all. The same transaction creates the pool, so
 * nothing can come between this result and the chain's.
 */
export function launchPurchase(
  position: UntouchedPosition,
  creatorBuyFeeBps: number,
  initialBuyWei: bigint,
): LaunchPurchaseResult {
  const { platformFeeWei, creatorFeeWei, poolWei } = afterFees(initialBuyWei, creatorBuyFeeBps);
  const { spentWei, tokensOut, sqrtPriceX96 } = buyFromPosition(position, poolWei);
  if (spentWei < poolWei || initialBuyWei > MAX_PURCHASE_WEI) {
    return { ok: false, fault: 'more-than-the-position', mostWei: mostWei(position, creatorBuyFeeBps) };
  }
  if (tokensOut === 0n) return { ok: false, fault: 'nothing' };
  return { ok: true, purchase: { platformFeeWei, creatorFeeWei, poolWei, tokensOut, sqrtPriceX96 } };
}

function afterFees(
  grossWei: bigint,
  creatorFeeBps: number,
): Pick<LaunchPurchase, 'platformFeeWei' | 'creatorFeeWei' | 'poolWei'> {
  const platformFeeWei = (grossWei * BigInt(PLATFORM_FEE_BPS)) / BPS;
  const creatorFeeWei = (grossWei * BigInt(creatorFeeBps)) / BPS;
  return { platformFeeWei, creatorFeeWei, poolWei: grossWei - platformFeeWei - creatorFeeWei };
}

function mostWei(position: UntouchedPosition, creatorFeeBps: number): bigint {
  const capacity = buyFromPosition(position, MAX_PURCHASE_WEI).spentWei;
  // Two fees round down, so one net amount has several gross amounts: search downwards for the first that fits.
  let gross = (capacity * BPS) / (BPS - BigInt(PLATFORM_FEE_BPS + creatorFeeBps)) + 3n;
  while (afterFees(gross, creatorFeeBps).poolWei > capacity) gross -= 1n;
  return gross < MAX_PURCHASE_WEI ? gross : MAX_PURCHASE_WEI;
}
