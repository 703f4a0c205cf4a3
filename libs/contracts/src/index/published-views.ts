import { z } from 'zod';
import { addressSchema, bytes32Schema, sha256DigestSchema } from '../primitives/scalars.schema.js';
import { indexSourceSchema } from './index-source.schema.js';
import { QUARANTINE_REASONS } from './quarantine-reasons.js';
import { launchRecordSchema } from './launch-record.schema.js';
import { shownMetadataSchema } from './shown-text.js';
import { FINALITY_STAGES, SOURCE_STATUSES } from './source-versions.js';

/**
 * Rows of the schema `published` of the indexer's database, as `node-postgres` returns them: `bigint` and `numeric` are
 * decimal strings, `timestamptz` is a Date. The views are a contract: they only gain columns.
 */
const decimalRow = z.string().regex(/^[0-9]+$/);

/**
 * `published.launch`: one row per coin of a source. Its columns are the members of the record in snake case, `sequence`
 * (order of admission, finalized rows only), `finality_stage`, and the token's own metadata.
 */
export const publishedLaunchSchema = z.object({
  sequence: decimalRow.nullable(),
  finality_stage: z.enum(FINALITY_STAGES),
  transaction_index: z.number().int(),
  record: launchRecordSchema,
  metadata: shownMetadataSchema,
});
export type PublishedLaunch = z.infer<typeof publishedLaunchSchema>;

export const INDEX_STATES = [
  'starting',
  'backfilling',
  'following',
  'waiting',
  'stopped',
  'unsupported',
  'ended',
] as const;
export type IndexState = (typeof INDEX_STATES)[number];

/** `published.source`: one row for every binding that this indexer ever had. */
export const publishedSourceSchema = z.object({
  release_digest: sha256DigestSchema,
  document: indexSourceSchema,
  status: z.enum(SOURCE_STATUSES),
  state: z.enum(INDEX_STATES),
  /** Reason why the source waits, is stopped or is refused: a code and one fact. */
  state_reason: z.string().nullable(),
  /** The finalized checkpoint: the last block whose launches are admitted. */
  checkpoint_number: decimalRow.nullable(),
  checkpoint_hash: z.string().nullable(),
  checkpoint_at: z.date().nullable(),
  /** The last block that both observers report as finalized. */
  finalized_head: decimalRow.nullable(),
  /** The last block of the provisional layer. */
  provisional_number: decimalRow.nullable(),
  updated_at: z.date(),
  /** Time when the source last wrote a range or found nothing left to read. */
  progressed_at: z.date(),
  /** Whole blocks are held, or an operator holds a place, so launches may be missing. */
  has_holds: z.boolean(),
  /** Trades of a block of the last 24 hours cannot be read. */
  lacks_trades: z.boolean(),
});
export type PublishedSource = z.infer<typeof publishedSourceSchema>;

/** A summary of `published.swap` for one coin: its last trade, and the count and volume in wei of the last 24 hours. */
export const publishedTradesSchema = z.object({
  chain_id: z.number().int(),
  token_address: addressSchema,
  caller: addressSchema,
  transaction_hash: bytes32Schema,
  block_number: decimalRow,
  block_hash: bytes32Schema,
  log_index: z.number().int(),
  block_time: z.date(),
  is_final: z.boolean(),
  sqrt_price_x96: decimalRow,
  tick: z.number().int(),
  liquidity: decimalRow,
  count: z.number().int(),
  volume: decimalRow,
});
export type PublishedTrades = z.infer<typeof publishedTradesSchema>;

/** One row of `published.swap`. Amounts of the pool have the sign of PoolManager's event: negative was paid by the caller. */
export const publishedSwapSchema = publishedTradesSchema
  .pick({
    caller: true,
    transaction_hash: true,
    block_number: true,
    block_hash: true,
    log_index: true,
    block_time: true,
    is_final: true,
    sqrt_price_x96: true,
  })
  .extend({
    amount0: z.string().regex(/^-?\d+$/),
    amount1: z.string().regex(/^-?\d+$/),
    quote_wei: decimalRow,
    platform_quote: decimalRow.nullable(),
    creator_quote: decimalRow.nullable(),
  });
export type PublishedSwap = z.infer<typeof publishedSwapSchema>;

/** The rows that a hold keeps out of the index: launches with their trades, or trades only. */
export const HOLD_SUBJECTS = ['launches', 'trades'] as const;
/** Origin of the hold: an operator, or the index itself because a place cannot be read. */
export const HOLD_CAUSES = ['operator', 'index'] as const;

/** `published.hold`: every block or transaction that the index currently draws no conclusions from. */
export const publishedHoldSchema = z.object({
  release_digest: sha256DigestSchema,
  block_number: decimalRow,
  /** Null for the whole block. */
  transaction_hash: bytes32Schema.nullable(),
  subject: z.enum(HOLD_SUBJECTS),
  cause: z.enum(HOLD_CAUSES),
  reason: z.string(),
  held_at: z.date(),
  /** An operator released the hold, and the index has not read the place since. */
  released_at: z.date().nullable(),
});
export type PublishedHold = z.infer<typeof publishedHoldSchema>;

/** `published.quarantine`: every judged log that is not a launch and was not dismissed. */
export const publishedQuarantineSchema = z.object({
  release_digest: sha256DigestSchema,
  block_number: decimalRow,
  block_hash: z.string(),
  transaction_hash: z.string(),
  log_index: z.number().int(),
  reason: z.enum(QUARANTINE_REASONS),
  dismissed_reason: z.string().nullable(),
});
export type PublishedQuarantine = z.infer<typeof publishedQuarantineSchema>;
