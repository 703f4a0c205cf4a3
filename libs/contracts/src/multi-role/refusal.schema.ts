import { z } from 'zod';
import { ERROR_CODES } from '../errors/catalogue.js';
import { launchRefusalMembers, signatureSchema } from '../launch/admission-parts.schema.js';

export const refusalCodesSchema = z.array(z.enum(ERROR_CODES)).min(1).max(64);

/**
 * Admission's word that a launch gets no permit, which is what frees its nonce. It names whose nonce that is, and the
 * bytes that say so. It carries no time: the same refusal is the same bytes, however often it is issued.
 */
export const launchRefusalSchema = z.strictObject({
  schemaVersion: z.literal('service.multi-role-launch-refusal.v2'),
  ...launchRefusalMembers,
  /** Why, each once. */
  codes: refusalCodesSchema,
});
export type LaunchRefusal = z.infer<typeof launchRefusalSchema>;

/** The stored form: the refusal and admission's Ed25519 signature over its canonical JSON bytes. */
export const signedRefusalSchema = z.strictObject({ refusal: launchRefusalSchema, signature: signatureSchema });
export type SignedRefusal = z.infer<typeof signedRefusalSchema>;
