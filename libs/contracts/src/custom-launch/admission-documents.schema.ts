import { z } from 'zod';
import { CUSTOM_LAUNCH_CODES } from '../errors/custom-launch.catalogue.js';
import {
  DISPOSITIONS,
  launchRefusalMembers,
  signatureSchema,
  sourceAssessmentMembers,
  sourceReceiptMembers,
} from '../launch/admission-parts.schema.js';
import { uuidSchema } from '../primitives/scalars.schema.js';

/**
 * Documents that admission writes for custom launches and plans: those of multi-role launches, with the codes of these
 * families.
 */

const familySchema = z.enum(['custom-launch.v4', 'plan.v1']);
const codesSchema = z.array(z.enum(CUSTOM_LAUNCH_CODES)).max(64);

/** The source receipt of a reserved launch; a preflight has none. `artifactHash` is an argument of router V1's call. */
export const customLaunchReceiptSchema = z.strictObject({
  schemaVersion: z.literal('service.custom-launch-source-receipt.v1'),
  family: familySchema,
  kind: z.literal('admission'),
  launchId: uuidSchema,
  ...sourceReceiptMembers,
  findingCodes: codesSchema,
});
export type CustomLaunchReceipt = z.infer<typeof customLaunchReceiptSchema>;

/** The stored form: the receipt and admission's Ed25519 signature over its canonical JSON bytes. */
export const signedCustomLaunchReceiptSchema = z.strictObject({
  receipt: customLaunchReceiptSchema,
  signature: signatureSchema,
});
export type SignedCustomLaunchReceipt = z.infer<typeof signedCustomLaunchReceiptSchema>;

/**
 * Admission's statement that a launch gets no permit. It lets custody free the nonce. `router` is the router of the
 * context that the request names.
 */
export const customLaunchRefusalSchema = z.strictObject({
  schemaVersion: z.literal('service.custom-launch-refusal.v1'),
  family: familySchema,
  ...launchRefusalMembers,
  codes: codesSchema.min(1),
});
export type CustomLaunchRefusal = z.infer<typeof customLaunchRefusalSchema>;

/** The stored form: the refusal and admission's Ed25519 signature over its canonical JSON bytes. */
export const signedCustomLaunchRefusalSchema = z.strictObject({
  refusal: customLaunchRefusalSchema,
  signature: signatureSchema,
});
export type SignedCustomLaunchRefusal = z.infer<typeof signedCustomLaunchRefusalSchema>;

/** The source decision as the gateway keeps it. */
export const customLaunchAssessmentSchema = z.strictObject({
  schemaVersion: z.literal('service.custom-launch-source-assessment.v1'),
  disposition: z.enum(DISPOSITIONS),
  findingCodes: codesSchema,
  ...sourceAssessmentMembers,
});
export type CustomLaunchAssessment = z.infer<typeof customLaunchAssessmentSchema>;
