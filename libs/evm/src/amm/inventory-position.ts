import { EvmError } from '../evm.error.js';
import { currency1ForLiquidity, MAX_INT128, tokenOnlyLiquidity } from './liquidity.js';
import { sqrtPriceAtTick } from './tick-price.js';
import { checkTickRange, maxLiquidityPerTick, type TickRange, type TickRangeFinding } from './tick-range.js';

/** The single position of an inventory launch. Prices in Q64.96, amounts in raw token units. */
export interface InventoryPosition {
  readonly sqrtPriceX96: bigint;
  readonly liquidity: bigint;
  /** The amount that the pool takes, rounded up. */
  readonly settledRaw: bigint;
  /** The remainder that rounding leaves with the initializer permanently. */
  readonly residueRaw: bigint;
}

export type InventoryPositionFault =
  | { readonly field: 'inventoryRaw'; readonly expected: string }
  | (TickRangeFinding & { readonly expected: string });

export type InventoryPositionResult =
  | { readonly ok: true; readonly position: InventoryPosition }
  | { readonly ok: false; readonly faults: readonly InventoryPositionFault[] };

const RANGE_RULES = {
  TICK_SPACING_OUT_OF_RANGE: 'a spacing from 1 to 32767',
  TICK_NOT_AN_INTEGER: 'a whole tick',
  TICK_OUT_OF_RANGE: 'a tick inside the bounds',
  TICK_NOT_ALIGNED: 'a multiple of the tick spacing',
  TICKS_NOT_ORDERED: 'a tick above tickLower',
  TICK_UPPER_AT_MAXIMUM: 'a tick strictly below the maximum tick',
} as const;

/**
 * Places a whole inventory below its price (docs/reference/economics.md#inventory-position). The pool starts at the
 * upper tick without native currency. Liquidity is floor(inventoryRaw * 2^96 / (sqrtUpper - sqrtLower)); it is
 * positive, fits a signed 128-bit integer and stays within the limit of one tick. The pool takes at most the inventory,
 * after rounding up.
 */
export function inventoryPosition(inventoryRaw: bigint, range: TickRange): InventoryPositionResult {
  const faults: InventoryPositionFault[] = checkTickRange(range).map((found) => ({
    ...found,
    expected: RANGE_RULES[found.code],
  }));
  const refuse = (expected: string): InventoryPositionResult => ({
    ok: false,
    faults: [...faults, { field: 'inventoryRaw', expected }],
  });
  if (inventoryRaw <= 0n || inventoryRaw > MAX_INT128)
    return refuse('a positive amount inside a signed 128-bit integer');
  if (faults.length > 0) return { ok: false, faults };
  const { tickLower, tickUpper, tickSpacing } = range;
  const liquidity = tokenOnlyLiquidity(inventoryRaw, tickLower, tickUpper);
  if (liquidity === 0n) return refuse('enough for one unit of liquidity over this range');
  if (liquidity > MAX_INT128) return refuse('an amount whose liquidity is inside a signed 128-bit integer');
  if (liquidity > maxLiquidityPerTick(tickSpacing))
    return refuse("an amount whose liquidity is within one tick's limit");
  const settledRaw = currency1ForLiquidity(liquidity, tickLower, tickUpper);
  // The floor above makes this impossible. The launch depends on it, so the code checks it anyway.
  if (settledRaw > inventoryRaw) throw new EvmError('LIQUIDITY_INPUT_INVALID', 'inventoryRaw');
  return {
    ok: true,
    position: {
      sqrtPriceX96: sqrtPriceAtTick(tickUpper),
      liquidity,
      settledRaw,
      residueRaw: inventoryRaw - settledRaw,
    },
  };
}
