import { z } from 'zod';
import { addressSchema, bytes32Schema, sha256DigestSchema, uuidSchema } from '../primitives/scalars.schema.js';
import type { LaunchRef } from './launch-ref.types.js';

/** A `LaunchRef` as an activity is given one. */
export const launchRefSchema: z.ZodType<LaunchRef> = z.strictObject({
  launchId: uuidSchema.nullable(),
  requestSha256: sha256DigestSchema,
  requestHash: bytes32Schema,
  contextHash: bytes32Schema,
  controller: addressSchema,
});
