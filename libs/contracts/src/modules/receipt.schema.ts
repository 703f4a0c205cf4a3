import { z } from 'zod';
import {
  addressSchema,
  bytes32Schema,
  sha256DigestSchema,
  timestampSchema,
  uuidSchema,
} from '../primitives/scalars.schema.js';
import { MODULE_API_SCHEMA, MODULE_LIMITS, MODULE_SUBMISSION_LIST_SCHEMA } from './module-limits.js';

/**
 * The receipt of intake; its bytes never change, also not after the review (docs/reference/modules.md#receipt-bytes).
 */
export const moduleReceiptSchema = z
  .strictObject({
    schemaVersion: z.literal(MODULE_API_SCHEMA),
    submissionId: uuidSchema,
    packageId: bytes32Schema,
    familyId: bytes32Schema,
    /** SHA-256 of the request's bytes. */
    requestDigest: sha256DigestSchema,
    author: addressSchema,
    rewardWallet: addressSchema,
    name: z.string(),
    version: z.string(),
    family: z.string(),
    /** Raw bytes of all files. */
    byteCount: z.number().int().nonnegative().max(MODULE_LIMITS.maxTotalBytes),
    fileCount: z.number().int().positive().max(MODULE_LIMITS.maxFiles),
    supersedes: uuidSchema.nullable(),
    status: z.literal('draft_received'),
    reviewStatus: z.literal('unreviewed'),
    approved: z.literal(false),
    available: z.literal(false),
    receivedAt: timestampSchema,
  })
  .meta({ id: 'ModuleReceipt' });
export type ModuleReceipt = z.infer<typeof moduleReceiptSchema>;

/** The owner's receipts, newest first; the cursor is the last one's id (docs/reference/modules.md#receipt-bytes). */
export const moduleSubmissionListSchema = z
  .strictObject({
    schemaVersion: z.literal(MODULE_SUBMISSION_LIST_SCHEMA),
    items: z.array(moduleReceiptSchema).max(MODULE_LIMITS.listMax),
    nextCursor: uuidSchema.nullable(),
  })
  .meta({ id: 'ModuleSubmissionList' });
export type ModuleSubmissionList = z.infer<typeof moduleSubmissionListSchema>;
