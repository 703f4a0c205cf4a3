import { EvmError } from '../evm.error.js';
import { MAX_TICK, MIN_TICK } from './tick-price.js';

/** The bounds of the tick spacings that Uniswap V4 accepts. */
export const MIN_TICK_SPACING = 1;
export const MAX_TICK_SPACING = 32_767;

export interface TickRange {
  readonly tickLower: number;
  readonly tickUpper: number;
  readonly tickSpacing: number;
}

export type TickRangeFindingCode =
  | 'TICK_SPACING_OUT_OF_RANGE'
  | 'TICK_NOT_AN_INTEGER'
  | 'TICK_OUT_OF_RANGE'
  | 'TICK_NOT_ALIGNED'
  | 'TICKS_NOT_ORDERED'
  | 'TICK_UPPER_AT_MAXIMUM';

export interface TickRangeFinding {
  readonly code: TickRangeFindingCode;
  readonly field: keyof TickRange;
}

/**
 * Judges a liquidity range (docs/reference/economics.md#tick-range). The spacing must be 1 to 32,767. The ticks must be
 * ordered, aligned and inside the bounds, with the upper one strictly below the maximum tick. Returns all findings in
 * field order.
 */
export function checkTickRange(range: TickRange): TickRangeFinding[] {
  const findings: TickRangeFinding[] = [];
  const { tickLower, tickUpper, tickSpacing } = range;
  const spacingUsable = isTickSpacing(tickSpacing);
  if (!spacingUsable) findings.push({ code: 'TICK_SPACING_OUT_OF_RANGE', field: 'tickSpacing' });
  for (const field of ['tickLower', 'tickUpper'] as const) {
    const tick = range[field];
    if (!Number.isInteger(tick)) findings.push({ code: 'TICK_NOT_AN_INTEGER', field });
    else if (tick < MIN_TICK || tick > MAX_TICK) findings.push({ code: 'TICK_OUT_OF_RANGE', field });
    else if (spacingUsable && tick % tickSpacing !== 0) findings.push({ code: 'TICK_NOT_ALIGNED', field });
  }
  if (!(tickLower < tickUpper)) findings.push({ code: 'TICKS_NOT_ORDERED', field: 'tickUpper' });
  if (tickUpper === MAX_TICK) findings.push({ code: 'TICK_UPPER_AT_MAXIMUM', field: 'tickUpper' });
  return findings;
}

/** Returns the lowest aligned tick inside the bounds. @throws {EvmError} `TICK_SPACING_INVALID`. */
export function minUsableTick(tickSpacing: number): number {
  requireTickSpacing(tickSpacing);
  return Math.ceil(MIN_TICK / tickSpacing) * tickSpacing;
}

/** Returns the highest aligned tick inside the bounds. @throws {EvmError} `TICK_SPACING_INVALID`. */
export function maxUsableTick(tickSpacing: number): number {
  requireTickSpacing(tickSpacing);
  return Math.floor(MAX_TICK / tickSpacing) * tickSpacing;
}

/**
 * Returns the most liquidity that may reference one tick, as Uniswap V4 limits it. All ticks share the uint128 range.
 * The count includes one tick below the lowest aligned tick if the spacing does not divide the bound.
 * @throws {EvmError} `TICK_SPACING_INVALID`.
 */
export function maxLiquidityPerTick(tickSpacing: number): bigint {
  requireTickSpacing(tickSpacing);
  const ticks = Math.floor(MAX_TICK / tickSpacing) - Math.floor(MIN_TICK / tickSpacing) + 1;
  return (2n ** 128n - 1n) / BigInt(ticks);
}

function isTickSpacing(tickSpacing: number): boolean {
  return Number.isInteger(tickSpacing) && tickSpacing >= MIN_TICK_SPACING && tickSpacing <= MAX_TICK_SPACING;
}

function requireTickSpacing(tickSpacing: number): void {
  if (!isTickSpacing(tickSpacing)) throw new EvmError('TICK_SPACING_INVALID', 'tickSpacing');
}
