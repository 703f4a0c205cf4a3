import { z } from 'zod';
import { customLaunchFindingSchema } from '../launch/custom-launch-finding.schema.js';
import { findingSchema } from '../validation/finding.schema.js';
import { LAUNCH_FAMILIES } from '../states/launch-families.js';
import { LIMITS } from '../primitives/limits.js';
import { addressSchema, bytes32Schema, sha256DigestSchema, uuidSchema } from '../primitives/scalars.schema.js';

/** Argument schemas that activities of several services share. */

export const launchFamilySchema = z.enum(LAUNCH_FAMILIES);

export const launchRefSchema = z.strictObject({
  launchId: uuidSchema.nullable(),
  family: launchFamilySchema.optional(),
  requestSha256: sha256DigestSchema,
  requestHash: bytes32Schema,
  contextHash: bytes32Schema,
  controller: addressSchema,
});

export const findingsSchema = z.array(z.union([findingSchema, customLaunchFindingSchema])).max(LIMITS.findings);

/** The signature of a statement of another service. */
export const statementSignatureSchema = z.strictObject({
  keyId: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
  signature: z.string().regex(/^[A-Za-z0-9+/]{86}==$/),
});

/** Reason why the observers made no statement. */
export const reasonSchema = z.string().max(256);
