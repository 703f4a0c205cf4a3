import {
  LAUNCH_NUMBERS_SCHEMA,
  type LaunchNumbers,
  type LaunchPrice,
  type TokenAmount,
} from '@launch/contracts/multi-role';
import {
  inventoryPosition,
  launchPurchase,
  type InventoryPosition,
  type LaunchPurchase,
  type UntouchedPosition,
} from '@launch/evm';
import { PackError, type PackFinding } from '../offline/pack.error.js';
import { decimalOfRatio, decimalOfUnits } from './amounts.js';

/** The launcher's choices that determine the money; amounts in base units. */
export interface LaunchChoices {
  readonly supplyRaw: bigint;
  readonly tickLower: number;
  readonly tickUpper: number;
  readonly tickSpacing: number;
  readonly creatorBuyFeeBps: number;
  readonly initialBuyWei: bigint;
  readonly minimumTokensOut: bigint;
  /** Replaces the minimum: basis points below the result of the purchase; null to keep the minimum. */
  readonly slippageBps: number | null;
}

/** The place of each choice, for the person who corrects it. */
export type ChoicePaths = Readonly<Record<Exclude<keyof LaunchChoices, 'creatorBuyFeeBps'>, string>>;

const BPS = 10_000n;
const Q192 = 2n ** 192n;
const PRICE_DIGITS = 18;

/** Collects all findings. @throws {PackError} `MULTI_ROLE_PACK_CONFIG_INVALID` */
class Refusals {
  private readonly findings: PackFinding[] = [];

  add(path: string, message: string, expected: string, actual: bigint | number): void {
    this.findings.push({ path, message, expected, actual: actual.toString() });
  }

  error(): PackError {
    return new PackError('MULTI_ROLE_PACK_CONFIG_INVALID', this.findings);
  }

  throwIfAny(): void {
    if (this.findings.length > 0) throw this.error();
  }
}

/**
 * Computes the numbers of a launch: start price, the purchase to the unit, its share, what is locked.
 *
 * @throws {PackError} `MULTI_ROLE_PACK_CONFIG_INVALID` naming every choice that no pool can have, with the expected and the
 * actual value.
 */
export function launchNumbers(choices: LaunchChoices, paths: ChoicePaths): LaunchNumbers {
  const refusals = new Refusals();
  refuseUnpaired(choices, paths, refusals);
  const position = positionOf(choices, paths, refusals);
  if (position === null) throw refusals.error();
  refusals.throwIfAny();
  const purchase = choices.initialBuyWei === 0n ? null : purchaseOf(choices, position, paths);
  const minimum = purchase === null ? 0n : minimumOf(choices, purchase, paths);
  return {
    schemaVersion: LAUNCH_NUMBERS_SCHEMA,
    supply: amount(choices.supplyRaw),
    price: price(position.sqrtPriceX96),
    purchase: purchase === null ? null : purchaseNumbers(choices, purchase, minimum),
    locked: lockedIn(choices, position, purchase),
    warnings: minimum === 1n ? [nothingProtected(paths)] : [],
  };
}

/** Refuses a buy with only one of its numbers, and a slippage without a buy. */
function refuseUnpaired(
  { initialBuyWei, minimumTokensOut, slippageBps }: LaunchChoices,
  paths: ChoicePaths,
  refusals: Refusals,
): void {
  if (slippageBps !== null) {
    if (initialBuyWei === 0n)
      refusals.add(
        paths.slippageBps,
        'is for a launch with a purchase, and this one has none',
        `${paths.initialBuyWei} above 0`,
        initialBuyWei,
      );
  } else if (initialBuyWei === 0n && minimumTokensOut !== 0n) {
    refusals.add(
      paths.minimumTokensOut,
      'is the least of a purchase, and there is none',
      `0, or ${paths.initialBuyWei} above 0`,
      minimumTokensOut,
    );
  } else if (initialBuyWei !== 0n && minimumTokensOut === 0n) {
    refusals.add(
      paths.minimumTokensOut,
      'is missing for the purchase; --slippage-bps computes one',
      'at least 1 base unit',
      minimumTokensOut,
    );
  }
}

function positionOf(
  { supplyRaw, tickLower, tickUpper, tickSpacing }: LaunchChoices,
  paths: ChoicePaths,
  refusals: Refusals,
): InventoryPosition | null {
  const range = { tickLower, tickUpper, tickSpacing };
  const result = inventoryPosition(supplyRaw, range);
  if (result.ok) return result.position;
  for (const fault of result.faults) {
    if (fault.field === 'inventoryRaw')
      refusals.add(paths.supplyRaw, `is not ${fault.expected}`, fault.expected, supplyRaw);
    else if (fault.code === 'TICKS_NOT_ORDERED' && tickLower > tickUpper) {
      refusals.add(
        paths.tickUpper,
        'is not above tickLower: tickLower and tickUpper are swapped',
        `above ${tickLower}`,
        tickUpper,
      );
    } else refusals.add(paths[fault.field], `is not ${fault.expected}`, fault.expected, range[fault.field]);
  }
  return null;
}

const untouched = (
  { tickLower, tickUpper, tickSpacing }: LaunchChoices,
  { liquidity }: InventoryPosition,
): UntouchedPosition => ({ tickLower, tickUpper, tickSpacing, liquidity });

function purchaseOf(choices: LaunchChoices, position: InventoryPosition, paths: ChoicePaths): LaunchPurchase {
  const { initialBuyWei, creatorBuyFeeBps } = choices;
  const result = launchPurchase(untouched(choices, position), creatorBuyFeeBps, initialBuyWei);
  if (result.ok) return result.purchase;
  const refusals = new Refusals();
  if (result.fault === 'nothing')
    refusals.add(
      paths.initialBuyWei,
      'is too little to bring one base unit of the token',
      'enough for 1 base unit',
      initialBuyWei,
    );
  else
    refusals.add(
      paths.initialBuyWei,
      'is more than the whole position sells for',
      `at most ${result.mostWei}`,
      initialBuyWei,
    );
  throw refusals.error();
}

/** Returns the least result of the purchase. */
function minimumOf(
  { minimumTokensOut, slippageBps }: LaunchChoices,
  { tokensOut }: LaunchPurchase,
  paths: ChoicePaths,
): bigint {
  const minimum = slippageBps === null ? minimumTokensOut : (tokensOut * (BPS - BigInt(slippageBps))) / BPS;
  const refusals = new Refusals();
  if (minimum > tokensOut) {
    const message = `is more than the pool can give: the purchase brings exactly ${decimalOfUnits(tokensOut)} tokens; lower it, or let --slippage-bps compute it`;
    refusals.add(paths.minimumTokensOut, message, `at most ${tokensOut}`, minimum);
  }
  if (minimum === 0n)
    refusals.add(
      paths.slippageBps,
      `leaves a minimum of 0: the purchase brings ${tokensOut} base units`,
      'a slippage that leaves at least 1 base unit',
      slippageBps ?? 0,
    );
  refusals.throwIfAny();
  return minimum;
}

const amount = (raw: bigint): TokenAmount => ({ raw: raw.toString(), tokens: decimalOfUnits(raw) });

function price(sqrtPriceX96: bigint): LaunchPrice {
  const squared = sqrtPriceX96 * sqrtPriceX96;
  return {
    sqrtPriceX96: sqrtPriceX96.toString(),
    tokensPerEth: decimalOfRatio(squared, Q192, PRICE_DIGITS),
    ethPerToken: decimalOfRatio(Q192, squared, PRICE_DIGITS),
  };
}

const percent = (part: bigint, whole: bigint): string => decimalOfRatio(part * 100n, whole, PRICE_DIGITS);

function purchaseNumbers(
  { supplyRaw, initialBuyWei }: LaunchChoices,
  purchase: LaunchPurchase,
  minimum: bigint,
): NonNullable<LaunchNumbers['purchase']> {
  return {
    initialBuyWei: initialBuyWei.toString(),
    platformFeeWei: purchase.platformFeeWei.toString(),
    creatorFeeWei: purchase.creatorFeeWei.toString(),
    poolWei: purchase.poolWei.toString(),
    tokensOut: amount(purchase.tokensOut),
    minimumTokensOut: amount(minimum),
    percentOfSupply: percent(purchase.tokensOut, supplyRaw),
    priceAfterwards: price(purchase.sqrtPriceX96),
  };
}

function lockedIn(
  { supplyRaw }: LaunchChoices,
  position: InventoryPosition,
  purchase: LaunchPurchase | null,
): LaunchNumbers['locked'] {
  const tokens = position.settledRaw - (purchase?.tokensOut ?? 0n);
  const nativeWei = purchase?.poolWei ?? 0n;
  const sqrtPriceX96 = purchase?.sqrtPriceX96 ?? position.sqrtPriceX96;
  return {
    position: amount(tokens),
    residue: amount(position.residueRaw),
    percentOfSupply: percent(tokens + position.residueRaw, supplyRaw),
    nativeWei: nativeWei.toString(),
    valueWei: (nativeWei + (tokens * Q192) / (sqrtPriceX96 * sqrtPriceX96)).toString(),
  };
}

const nothingProtected = (paths: ChoicePaths): LaunchNumbers['warnings'][number] => ({
  code: 'MINIMUM_PROTECTS_NOTHING',
  path: paths.minimumTokensOut,
  message:
    'a minimum of 1 base unit protects from nothing; --slippage-bps 100 sets one that is 1 % below what the purchase brings',
});
