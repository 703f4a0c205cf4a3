import { z } from 'zod';
import {
  addressSchema,
  bytes32Schema,
  decimalSchema,
  sha256DigestSchema,
  slugSchema,
  timestampSchema,
} from '../primitives/scalars.schema.js';

const observerNoteSchema = z.strictObject({
  id: slugSchema,
  observedAt: timestampSchema,
  responseSha256: sha256DigestSchema,
});
/** The observers that agreed, at least two. */
export const observersSchema = z.array(observerNoteSchema).min(2).max(4);

/** The position of the launch transaction in the L2 chain, as both L2 observers report it. */
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

/** The batch that carries the launch's block to the L1 inbox, as both L1 observers report it. */
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

/** The lower of the two finalized blocks of the L1 observers; the posting is still in the chain there. */
export const l1CheckpointSchema = z.strictObject({
  blockNumber: decimalSchema,
  blockHash: bytes32Schema,
  epoch: decimalSchema.nullable(),
  /** The common checkpoint: both observers have finalized every block up to it. Only responses have it. */
  common: decimalSchema.optional(),
  observers: observersSchema,
});
export type L1Checkpoint = z.infer<typeof l1CheckpointSchema>;

/** Stage of a launch or a step on both chains; each part is null until the observers agree. */
export const stageFinalitySchema = z.strictObject({
  stage: z.enum(['pending', 'included', 'posted', 'ethereum_finalized']),
  l2Inclusion: l2InclusionSchema.nullable(),
  l1Posting: l1PostingSchema.nullable(),
  l1FinalizedCheckpoint: l1CheckpointSchema.nullable(),
  estimatedNextStageAt: timestampSchema.nullable(),
});

/** A transaction from a hint or from an observer; a hint proves nothing. */
export const namedTransactionSchema = z.strictObject({
  transactionHash: bytes32Schema,
  source: z.enum(['hint', 'observed']),
  status: z.enum(['unseen', 'seen', 'not_found', 'not_this_step', 'included', 'reverted']),
});
