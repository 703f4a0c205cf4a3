import { z } from 'zod';
import {
  addressSchema,
  bytes32Schema,
  sha256DigestSchema,
  timestampSchema,
  uint256Schema,
  uuidSchema,
} from '../primitives/scalars.schema.js';

/** `source_supported` is recognition, not admission; `evidence_required` is missing coverage, not an unsafe verdict. */
export const DISPOSITIONS = ['source_supported', 'evidence_required', 'rejected'] as const;
export type Disposition = (typeof DISPOSITIONS)[number];

/** An Ed25519 signature, base64. */
export const signatureSchema = z.string().regex(/^[A-Za-z0-9+/]{86}==$/);

/** Members of every source receipt; each family adds its schema, kind, launch and codes. */
export const sourceReceiptMembers = {
  requestSha256: sha256DigestSchema,
  requestHash: bytes32Schema,
  contextHash: bytes32Schema,
  instructionPolicyHash: bytes32Schema,
  artifactHash: bytes32Schema,
  economicsHash: bytes32Schema.nullable(),
  recipe: z.strictObject({ id: z.string(), version: z.string() }).nullable(),
  disposition: z.enum(DISPOSITIONS),
  materialized: z.array(z.strictObject({ account: addressSchema, runtimeCodeHash: bytes32Schema })).max(64),
  decidedAt: timestampSchema,
} as const;

/** Members of every refusal; each family adds its schema and codes. */
export const launchRefusalMembers = {
  kind: z.literal('refusal'),
  launchId: uuidSchema,
  requestSha256: sha256DigestSchema,
  requestHash: bytes32Schema,
  controller: addressSchema,
  /** Decimal uint256 of the request. */
  nonce: uint256Schema,
  router: addressSchema,
} as const;

/** Members of every source assessment; each family adds its schema, disposition and codes. */
export const sourceAssessmentMembers = {
  receiptHash: sha256DigestSchema,
  remediation: z.string().max(1024).nullable(),
  productionAuthority: z.literal(false),
} as const;
