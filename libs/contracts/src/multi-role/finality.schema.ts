import { z } from 'zod';
import {
  addressSchema,
  bytes32Schema,
  decimalSchema,
  sha256DigestSchema,
  slugSchema,
  timestampSchema,
  uuidSchema,
} from '../primitives/scalars.schema.js';

const observerNoteSchema = z.strictObject({
  id: slugSchema,
  observedAt: timestampSchema,
  responseSha256: sha256DigestSchema,
});
/** Who answered alike, at least two. */
export const observersSchema = z.array(observerNoteSchema).min(2).max(4);

/** The launch transaction's place in the L2 chain, as both L2 observers answered. */
export const l2InclusionSchema = z.strictObject({
  blockNumber: decimalSchema,
  blockHash: bytes32Schema,
  transactionIndex: z.number().int().nonnegative(),
  transactionHash: bytes32Schema,
  receiptStatus: z.enum(['success', 'reverted']),
  logsSha256: sha256DigestSchema,
  observers: observersSchema,
});
export type L2Inclusion = z.infer<typeof l2InclusionSchema>;

/** The batch that carries the launch's block to the L1 inbox, as both L1 observers answered. */
export const l1PostingSchema = z.strictObject({
  sequencerInbox: addressSchema,
  batchNumber: decimalSchema,
  batchTransactionHash: bytes32Schema,
  l1BlockNumber: decimalSchema,
  l1BlockHash: bytes32Schema,
  logIndex: z.number().int().nonnegative(),
  firstL2Block: decimalSchema,
  lastL2Block: decimalSchema,
  afterAcc: bytes32Schema,
  observers: observersSchema,
});
export type L1Posting = z.infer<typeof l1PostingSchema>;

/** The smaller of both L1 observers' finalized blocks, at which the posting still stands. */
export const l1CheckpointSchema = z.strictObject({
  blockNumber: decimalSchema,
  blockHash: bytes32Schema,
  epoch: decimalSchema.nullable(),
  /** The common checkpoint: up to here both observers are finalized. In answers alone, and absent from those of earlier releases. */
  common: decimalSchema.optional(),
  observers: observersSchema,
});
export type L1Checkpoint = z.infer<typeof l1CheckpointSchema>;

/** `basis` of an estimate that has passed, by whatever it was made: no time is named any more. */
export const ESTIMATE_OVERDUE = 'overdue';

export const FINALITY_STATES = ['pending', 'included', 'ethereum_finalized'] as const;

/** The V2 finality projection (spec 2, States): posting is evidence inside `included`. */
export const finalityStatusSchema = z
  .strictObject({
    schemaVersion: z.literal('service.multi-role-finality-status.v2'),
    launchId: uuidSchema,
    state: z.enum(FINALITY_STATES),
    transactionHash: bytes32Schema.nullable(),
    inclusion: l2InclusionSchema.nullable(),
    posting: l1PostingSchema.nullable(),
    checkpoint: l1CheckpointSchema.nullable(),
    observation: z
      .strictObject({
        status: z.enum(['agreed', 'indeterminate']),
        reason: z.string().max(256).nullable(),
        at: timestampSchema,
      })
      .nullable(),
    /** When the first that is missing of inclusion, posting and finality is expected; later than the answer, or null. */
    estimatedNextStageAt: timestampSchema.nullable(),
    /** How the estimate was made: `rolling-p90`, `configured-expectation`, or `overdue` without a time; null where nothing is expected. */
    basis: z.string().max(64).nullable(),
    finalizedAt: timestampSchema.nullable(),
  })
  .meta({ id: 'FinalityStatus' });
export type FinalityStatus = z.infer<typeof finalityStatusSchema>;

/** `POST /{launchId}/transaction-hints`: a discovery aid without authority. */
export const transactionHintSchema = z
  .strictObject({ schemaVersion: z.literal('service.multi-role-transaction-hint.v2'), transactionHash: bytes32Schema })
  .meta({ id: 'TransactionHint' });

export const transactionHintReceiptSchema = z
  .strictObject({
    schemaVersion: z.literal('service.multi-role-transaction-hint-receipt.v2'),
    launchId: uuidSchema,
    transactionHash: bytes32Schema,
    registeredAt: timestampSchema,
    assertsInclusion: z.literal(false),
    statusUrl: z.string(),
  })
  .meta({ id: 'TransactionHintReceipt' });
export type TransactionHintReceipt = z.infer<typeof transactionHintReceiptSchema>;
