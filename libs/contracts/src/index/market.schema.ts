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
  /** Whether the block is final on Ethereum. */
  isFinal: z.boolean(),
  /** Price of the pool after the trade: square root of token units per wei, times 2^96. */
  sqrtPriceX96: decimalSchema,
  tick: z.number().int(),
  liquidity: decimalSchema,
});

/**
 * Trading in a coin's pool, including trades that are not final yet; null if the index does not read its trades. It
 * does not promise a market (docs/reference/index-sources.md#trades).
 */
export const marketSchema = z
  .strictObject({
    /**
     * Ether per whole token, truncated to 36 decimals; null before the first trade, and for a coin whose decimals are
     * unknown.
     */
    priceNative: z.string().max(96).nullable(),
    /** Ether traded in the last 24 hours, including the fees that the hook reports. */
    volume24hNative: z.string().max(96).nullable(),
    /** Trades of the last 24 hours. */
    swaps24h: z.number().int().nonnegative(),
    lastSwap: lastSwapSchema.nullable(),
    /** False while trades of a block of the last 24 hours cannot be read; volume and count are then lower bounds. */
    isComplete: z.boolean(),
    asOf: timestampSchema,
  })
  .nullable();
export type Market = z.infer<typeof marketSchema>;
