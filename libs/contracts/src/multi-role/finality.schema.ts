import { z } from 'zod';
import { l1CheckpointSchema, l1PostingSchema, l2InclusionSchema } from '../launch/finality-parts.schema.js';
import { bytes32Schema, timestampSchema, uuidSchema } from '../primitives/scalars.schema.js';

/** `basis` of an estimate that has passed, independent of its origin; the projection then names no time. */
export const ESTIMATE_OVERDUE = 'overdue';

export const FINALITY_STATES = ['pending', 'included', 'ethereum_finalized'] as const;

/** The V2 finality projection: posting is evidence inside `included` (docs/reference/finality.md#public-states). */
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
    /** Expected time of the next stage (inclusion, posting or finality); later than the response, or null. */
    estimatedNextStageAt: timestampSchema.nullable(),
    /**
     * Origin of the estimate: `rolling-p90`, `configured-expectation`, or `overdue` without a time; null if no stage is
     * expected.
     */
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
