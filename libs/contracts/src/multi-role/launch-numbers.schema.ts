import { z } from 'zod';
import { decimalSchema, uint160Schema, uint256Schema } from '../primitives/scalars.schema.js';

export const LAUNCH_NUMBERS_SCHEMA = 'service.multi-role-launch-numbers.v1';

/** A decimal number for display, rounded to 18 significant digits unless its field says that it is exact. */
const decimalNumberSchema = z.string().regex(/^(?:0|[1-9][0-9]*)(?:\.[0-9]*[1-9])?$/, 'a decimal number');

/** Exactly (sqrtPriceX96 / 2^96)^2 tokens for one ether, and its reciprocal. */
const launchPriceSchema = z.strictObject({
  sqrtPriceX96: uint160Schema,
  tokensPerEth: decimalNumberSchema,
  ethPerToken: decimalNumberSchema,
});
export type LaunchPrice = z.infer<typeof launchPriceSchema>;

/** Base units, and the exact amount in tokens of 18 decimals. */
const tokenAmountSchema = z.strictObject({ raw: decimalSchema, tokens: decimalNumberSchema });
export type TokenAmount = z.infer<typeof tokenAmountSchema>;

export const LAUNCH_WARNINGS = ['MINIMUM_PROTECTS_NOTHING'] as const;

/** Amounts of a launch that the builders print to stderr: the integers of the pool, each with a decimal form. */
export const launchNumbersSchema = z.strictObject({
  schemaVersion: z.literal(LAUNCH_NUMBERS_SCHEMA),
  supply: tokenAmountSchema,
  /** Starting price of the pool. */
  price: launchPriceSchema,
  /** Null for a launch without a purchase. */
  purchase: z
    .strictObject({
      initialBuyWei: uint256Schema,
      platformFeeWei: uint256Schema,
      creatorFeeWei: uint256Schema,
      /** The amount that reaches the pool. */
      poolWei: uint256Schema,
      /** The exact amount that the launch transaction yields. */
      tokensOut: tokenAmountSchema,
      minimumTokensOut: tokenAmountSchema,
      percentOfSupply: decimalNumberSchema,
      /** The pool after the purchase. */
      priceAfterwards: launchPriceSchema,
    })
    .nullable(),
  /**
   * Amounts that no account can withdraw after the launch: the position with the purchase, and the residue of rounding.
   */
  locked: z.strictObject({
    position: tokenAmountSchema,
    residue: tokenAmountSchema,
    percentOfSupply: decimalNumberSchema,
    nativeWei: uint256Schema,
    /** Value of position and native currency in wei, with tokens at the pool's price after the launch, rounded down. */
    valueWei: decimalSchema,
  }),
  warnings: z.array(z.strictObject({ code: z.enum(LAUNCH_WARNINGS), path: z.string(), message: z.string() })).max(8),
});
export type LaunchNumbers = z.infer<typeof launchNumbersSchema>;
