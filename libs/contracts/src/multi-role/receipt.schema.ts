import { z } from 'zod';
import { ERROR_CODES } from '../errors/catalogue.js';
import { signatureSchema, sourceReceiptMembers } from '../launch/admission-parts.schema.js';
import { uuidSchema } from '../primitives/scalars.schema.js';

/**
 * The source receipt of admission. `kind: admission` is signed and is the only kind that custody accepts; the receipt
 * of a preflight has no launch and no signature.
 */
export const sourceReceiptSchema = z.strictObject({
  schemaVersion: z.literal('service.multi-role-source-receipt.v2'),
  kind: z.enum(['admission', 'preflight']),
  launchId: uuidSchema.nullable(),
  ...sourceReceiptMembers,
  findingCodes: z.array(z.enum(ERROR_CODES)).max(64),
});
export type SourceReceipt = z.infer<typeof sourceReceiptSchema>;

/** The stored form: the receipt and admission's Ed25519 signature over its canonical JSON bytes (base64; null for a preflight). */
export const signedReceiptSchema = z.strictObject({
  receipt: sourceReceiptSchema,
  signature: signatureSchema.nullable(),
});
export type SignedReceipt = z.infer<typeof signedReceiptSchema>;
