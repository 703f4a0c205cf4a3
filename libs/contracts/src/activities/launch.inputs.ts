import { z } from 'zod';
import { findingSchema } from '../errors/finding.js';
import { LIMITS } from '../primitives/limits.js';
import { addressSchema, bytes32Schema, sha256DigestSchema, uuidSchema } from '../primitives/scalars.schema.js';

/** What activities of several services take. */

export const launchRefSchema = z.strictObject({
  launchId: uuidSchema.nullable(),
  requestSha256: sha256DigestSchema,
  requestHash: bytes32Schema,
  contextHash: bytes32Schema,
  controller: addressSchema,
});

export const findingsSchema = z.array(findingSchema).max(LIMITS.findings);

/** Why observers made no statement. */
export const reasonSchema = z.string().max(256);
