import { z } from 'zod';
import {
  addressSchema,
  hexBytesSchema,
  sha256DigestSchema,
  unixSecondsSchema,
  walletSignatureSchema,
} from '../primitives/scalars.schema.js';
import { DECISION_OUTCOMES } from './review-status.schema.js';

const REASON_BYTES = 4_096;

/**
 * A reviewer's signed decision (docs/reference/modules.md#review-decision). Its digests are those of the recorded
 * build, or null without one.
 */
export const reviewDecisionSchema = z
  .strictObject({
    outcome: z.enum(DECISION_OUTCOMES),
    reason: z
      .string()
      .min(1)
      .refine((text) => new TextEncoder().encode(text).length <= REASON_BYTES, `at most ${REASON_BYTES} UTF-8 bytes`),
    artifactDigest: sha256DigestSchema.nullable(),
    hostManifestDigest: sha256DigestSchema.nullable(),
    reviewerPolicyDigest: sha256DigestSchema,
    reviewerWallet: addressSchema,
    /** Unix seconds. */
    decidedAt: unixSecondsSchema,
    signature: hexBytesSchema(65),
  })
  .meta({ id: 'ReviewDecision' });
export type ReviewDecision = z.output<typeof reviewDecisionSchema>;

/** A decision as a reviewer sends it, with the signature in any wallet encoding. Records keep one form. */
export const sentDecisionSchema = reviewDecisionSchema
  .extend({ signature: walletSignatureSchema })
  .meta({ id: 'SentReviewDecision' });
export type SentDecision = z.output<typeof sentDecisionSchema>;
