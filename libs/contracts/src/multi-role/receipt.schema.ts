import { z } from 'zod';
import { ERROR_CODES } from '../errors/catalogue.js';
import {
  addressSchema,
  bytes32Schema,
  sha256DigestSchema,
  timestampSchema,
  uuidSchema,
} from '../primitives/scalars.schema.js';
import { DISPOSITIONS } from './resource.schema.js';

/**
 * What admission found, as a document. `kind: admission` is signed and is the only
 * kind custody accepts; a preflight's receipt has no launch and no signature.
 */
export const sourceReceiptSchema = z.strictObject({
  schemaVersion: z.literal('service.multi-role-source-receipt.v2'),
  kind: z.enum(['admission', 'preflight']),
  launchId: uuidSchema.nullable(),
  requestSha256: sha256DigestSchema,
  requestHash: bytes32Schema,
  contextHash: bytes32Schema,
  instructionPolicyHash: bytes32Schema,
  artifactHash: bytes32Schema,
  economicsHash: bytes32Schema.nullable(),
  recipe: z.strictObject({ id: z.string(), version: z.string() }).nullable(),
  disposition: z.enum(DISPOSITIONS),
  findingCodes: z.array(z.enum(ERROR_CODES)).max(64),
  materialized: z.array(z.strictObject({ account: addressSchema, runtimeCodeHash: bytes32Schema })).max(64),
  decidedAt: timestampSchema,
});
export type SourceReceipt = z.infer<typeof sourceReceiptSchema>;

/** An Ed25519 signature, base64. */
export const signatureSchema = z.string().regex(/^[A-Za-z0-9+/]{86}==$/);

/** The stored form: the receipt and admission's Ed25519 signature over its canonical JSON bytes (base64; null for a preflight). */
export const signedReceiptSchema = z.strictObject({
  receipt: sourceReceiptSchema,
  signature: signatureSchema.nullable(),
});
export type SignedReceipt = z.infer<typeof signedReceiptSchema>;
