import { buyFromPosition, MAX_PURCHASE_WEI, type UntouchedPosition } from '../amm/position-purchase.js';
import { PLATFORM_FEE_BPS } from './fee-kernel.js';

const BPS = 10_000n;

/** What the purchase inside a launch brings. Amounts in wei and raw token units, price Q64.96. */
export interface LaunchPurchase {
  readonly platformFeeWei: bigint;
  readonly creatorFeeWei: bigint;
  /** What is left for the pool after both fees. */
  readonly poolWei: bigint;
  readonly tokensOut: bigint;
  /** The pool's price afterwards. */
  readonly sqrtPriceX96: bigint;
}

/** `mostWei`: the largest purchase that the position fills. `nothing`: too little for one raw unit. */
export type LaunchPurchaseResult =
  | { readonly ok: true; readonly purchase: LaunchPurchase }
  | { readonly ok: false; readonly fault: 'more-than-the-position'; readonly mostWei: bigint }
  | { readonly ok: false; readonly fault: 'nothing' };

/**
 * The purchase of a launch, to the unit. The hook takes both fees of the gross amount, each rounded down by itself. The
 * rest buys from the one position, whole or not at all. The pool is made in the same transaction, so nothing stands
 * between this result and the chain's.
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
  // Two fees round down, so the gross of a net is not one number: from above, the first whose net fits.
  let gross = (capacity * BPS) / (BPS - BigInt(PLATFORM_FEE_BPS + creatorFeeBps)) + 3n;
  while (afterFees(gross, creatorFeeBps).poolWei > capacity) gross -= 1n;
  return gross < MAX_PURCHASE_WEI ? gross : MAX_PURCHASE_WEI;
}
