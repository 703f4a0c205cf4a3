import { z } from 'zod';
import { addressSchema, bytes32Schema, sha256DigestSchema } from '../primitives/scalars.schema.js';
import { indexSourceSchema } from './index-source.schema.js';
import { QUARANTINE_REASONS } from './quarantine-reasons.js';
import { launchRecordSchema } from './launch-record.schema.js';
import { shownMetadataSchema } from './shown-text.js';
import { FINALITY_STAGES, SOURCE_STATUSES } from './source-versions.js';

/**
 * The rows of the schema `published` of the indexer's database, as `node-postgres` gives them: `bigint` and `numeric`
 * are decimal strings, `timestamptz` is a Date. The views are a contract: they change additively alone.
 */
const decimalRow = z.string().regex(/^[0-9]+$/);

/**
 * `published.launch`: one row a coin of a source. Columns are the record's members in snake case, and besides them:
 * `sequence` (order of admission, finalized rows alone), `finality_stage`, and what a token says of itself.
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

/** `published.source`: one row a binding that this indexer has ever been given. */
export const publishedSourceSchema = z.object({
  release_digest: sha256DigestSchema,
  document: indexSourceSchema,
  status: z.enum(SOURCE_STATUSES),
  state: z.enum(INDEX_STATES),
  /** Why it waits, is stopped or refused; a code and one fact. */
  state_reason: z.string().nullable(),
  /** The finalized checkpoint: the last block whose launches are admitted. */
  checkpoint_number: decimalRow.nullable(),
  checkpoint_hash: z.string().nullable(),
  checkpoint_at: z.date().nullable(),
  /** The last block that both observers call finalized. */
  finalized_head: decimalRow.nullable(),
  /** The last block that the provisional layer holds. */
  provisional_number: decimalRow.nullable(),
  updated_at: z.date(),
  /** When the source last wrote a range, or had nothing left to read. */
  progressed_at: z.date(),
  /** Blocks are held whole, or an operator holds something: launches may be missing. */
  has_holds: z.boolean(),
  /** Trades of a block of the last 24 hours could not be read. */
  lacks_trades: z.boolean(),
});
export type PublishedSource = z.infer<typeof publishedSourceSchema>;

/** What `published.swap` has of one coin: its last trade, and how many there were in the last 24 hours, of how many wei. */
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

/** What a hold keeps out of the index: launches with their trades, or trades alone. */
export const HOLD_SUBJECTS = ['launches', 'trades'] as const;
/** Who holds: an operator, or the index itself because a place cannot be read. */
export const HOLD_CAUSES = ['operator', 'index'] as const;

/** `published.hold`: every block or transaction that the index concludes nothing from now. */
export const publishedHoldSchema = z.object({
  release_digest: sha256DigestSchema,
  block_number: decimalRow,
  /** Null for the whole block. */
  transaction_hash: bytes32Schema.nullable(),
  subject: z.enum(HOLD_SUBJECTS),
  cause: z.enum(HOLD_CAUSES),
  reason: z.string(),
  held_at: z.date(),
  /** An operator released it, and the place has not been read since. */
  released_at: z.date().nullable(),
});
export type PublishedHold = z.infer<typeof publishedHoldSchema>;

/** `published.quarantine`: every judged log that is no launch, and was not dismissed. */
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
