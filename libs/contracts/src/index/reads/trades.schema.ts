import { z } from 'zod';
import { bytes32Schema, decimalSchema, timestampSchema } from '../../primitives/scalars.schema.js';
import { checksummedAddressSchema, cursorSchema, INDEX_PAGE_MAX, readStatusSchema } from './read-parts.schema.js';

export const TRADES_PATH = '/api/explore/chain/trades';
export const TRADES_SCHEMA = 'service.chain-trades.v1';

/** One trade in a coin's pool. `router` is PoolManager's caller; the trader is not known (docs/reference/index-sources.md#trades). */
export const chainTradeSchema = z
  .strictObject({
    transactionHash: bytes32Schema,
    blockNumber: decimalSchema,
    blockHash: bytes32Schema,
    logIndex: z.number().int().nonnegative(),
    at: timestampSchema,
    /** Whether the block is final on Ethereum. */
    isFinal: z.boolean(),
    router: checksummedAddressSchema,
    /** `buy`: native currency went into the pool and tokens came out. */
    side: z.enum(['buy', 'sell']),
    /** Wei that the trade moved, including the fees that the hook reports. */
    nativeWei: decimalSchema,
    /** Smallest units of the token that the pool moved. */
    tokenAmount: decimalSchema,
    /** Ether per whole token after the trade, truncated to 36 decimals; null for a coin whose decimals are unknown. */
    priceNative: z.string().max(96).nullable(),
    /** The fees in wei that a Foundation hook reports for the trade; null for a pool whose hook reports none. */
    fees: z.strictObject({ platformWei: decimalSchema, creatorWei: decimalSchema }).nullable(),
  })
  .meta({ id: 'ChainTrade' });
export type ChainTrade = z.infer<typeof chainTradeSchema>;

/** Trades of a coin, the newest first, including trades that are not final yet. */
export const chainTradesSchema = z
  .strictObject({
    schemaVersion: z.literal(TRADES_SCHEMA),
    chainId: z.union([z.literal(1), z.literal(4663)]),
    token: checksummedAddressSchema,
    items: z.array(chainTradeSchema).max(INDEX_PAGE_MAX),
    nextCursor: cursorSchema,
    /** Status over the sources of the chain. */
    status: readStatusSchema,
    /** Time when one of these sources was last written; null without sources. */
    updatedAt: timestampSchema.nullable(),
  })
  .meta({ id: 'ChainTrades' });
export type ChainTrades = z.infer<typeof chainTradesSchema>;
