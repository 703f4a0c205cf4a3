import { z } from 'zod';
import { decimalSchema, uint160Schema, uint256Schema } from '../primitives/scalars.schema.js';

export const LAUNCH_NUMBERS_SCHEMA = 'service.multi-role-launch-numbers.v1';

/** A number for people, rounded to 18 significant digits unless its field says that it is exact. */
const decimalNumberSchema = z.string().regex(/^(?:0|[1-9][0-9]*)(?:\.[0-9]*[1-9])?$/, 'a decimal number');

/** Exactly (sqrtPriceX96 / 2^96)^2 tokens for one ether, and its reciprocal. */
const launchPriceSchema = z.strictObject({
  sqrtPriceX96: uint160Schema,
  tokensPerEth: decimalNumberSchema,
  ethPerToken: decimalNumberSchema,
});
export type LaunchPrice = z.infer<typeof launchPriceSchema>;

/** Base units, and the same in tokens of 18 decimals, exactly. */
const tokenAmountSchema = z.strictObject({ raw: decimalSchema, tokens: decimalNumberSchema });
export type TokenAmount = z.infer<typeof tokenAmountSchema>;

export const LAUNCH_WARNINGS = ['MINIMUM_PROTECTS_NOTHING'] as const;

/** What the builders say of a launch's money on stderr: the pool's own integers, and each as a person reads it. */
export const launchNumbersSchema = z.strictObject({
  schemaVersion: z.literal(LAUNCH_NUMBERS_SCHEMA),
  supply: tokenAmountSchema,
  /** Where the pool starts. */
  price: launchPriceSchema,
  /** Null for a launch without a purchase. */
  purchase: z
    .strictObject({
      initialBuyWei: uint256Schema,
      platformFeeWei: uint256Schema,
      creatorFeeWei: uint256Schema,
      /** What reaches the pool. */
      poolWei: uint256Schema,
      /** To the unit what the launch transaction brings. */
      tokensOut: tokenAmountSchema,
      minimumTokensOut: tokenAmountSchema,
      percentOfSupply: decimalNumberSchema,
      /** Where the purchase leaves the pool. */
      priceAfterwards: launchPriceSchema,
    })
    .nullable(),
  /** What nobody can withdraw once the launch is done: the position with what was paid into it, and rounding's residue. */
  locked: z.strictObject({
    position: tokenAmountSchema,
    residue: tokenAmountSchema,
    percentOfSupply: decimalNumberSchema,
    nativeWei: uint256Schema,
    /** Position and native currency in wei, the tokens at the price where the launch leaves the pool, rounded down. */
    valueWei: decimalSchema,
  }),
  warnings: z.array(z.strictObject({ code: z.enum(LAUNCH_WARNINGS), path: z.string(), message: z.string() })).max(8),
});
export type LaunchNumbers = z.infer<typeof launchNumbersSchema>;
