import { z } from 'zod';
import { bytes32Schema, decimalSchema, timestampSchema } from '../primitives/scalars.schema.js';
import { checksummedAddressSchema } from './reads/read-parts.schema.js';

/** The last trade of a coin's pool. `router` is PoolManager's caller; the trader is not known (docs/reference/index-sources.md#trades). */
const lastSwapSchema = z.strictObject({
  router: checksummedAddressSchema,
  transactionHash: bytes32Schema,
  blockNumber: decimalSchema,
  blockHash: bytes32Schema,
  logIndex: z.number().int().nonnegative(),
  at: timestampSchema,
  /** Whether its block is final on Ethereum. */
  isFinal: z.boolean(),
  /** Price of the pool afterwards: square root of token units a wei, times 2^96. */
  sqrtPriceX96: decimalSchema,
  tick: z.number().int(),
  liquidity: decimalSchema,
});

/**
 * Trading in a coin's pool, including trades that are not final yet; null where its trading is not read. It promises no
 * market (docs/reference/index-sources.md#trades).
 */
export const marketSchema = z
  .strictObject({
    /** Ether a whole token, exact to 36 decimals and cut off there; null before the first trade, and for a coin whose decimals are not known. */
    priceNative: z.string().max(96).nullable(),
    /** Ether traded for in the last 24 hours, with its fees where the hook says them. */
    volume24hNative: z.string().max(96).nullable(),
    /** Trades of the last 24 hours. */
    swaps24h: z.number().int().nonnegative(),
    lastSwap: lastSwapSchema.nullable(),
    /** False while trades of a block of the last 24 hours could not be read: volume and count are then lower bounds. */
    isComplete: z.boolean(),
    asOf: timestampSchema,
  })
  .nullable();
export type Market = z.infer<typeof marketSchema>;
