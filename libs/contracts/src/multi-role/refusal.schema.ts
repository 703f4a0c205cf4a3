import { z } from 'zod';
import { ERROR_CODES } from '../errors/catalogue.js';
import { launchRefusalMembers, signatureSchema } from '../launch/admission-parts.schema.js';

export const refusalCodesSchema = z.array(z.enum(ERROR_CODES)).min(1).max(64);

/**
 * Admission's statement that a launch gets no permit. It lets custody free the nonce, and names the owner of that nonce
 * and the request bytes that show it. It contains no time, so every refusal of a launch has the same bytes.
 */
export const launchRefusalSchema = z.strictObject({
  schemaVersion: z.literal('service.multi-role-launch-refusal.v2'),
  ...launchRefusalMembers,
  /** Codes of the refusal, each once. */
  codes: refusalCodesSchema,
});
export type LaunchRefusal = z.infer<typeof launchRefusalSchema>;

/** The stored form: the refusal and admission's Ed25519 signature over its canonical JSON bytes. */
export const signedRefusalSchema = z.strictObject({ refusal: launchRefusalSchema, signature: signatureSchema });
export type SignedRefusal = z.infer<typeof signedRefusalSchema>;
