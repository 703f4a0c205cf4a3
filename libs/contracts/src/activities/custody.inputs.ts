import { z } from 'zod';
import type { CustodyOperations } from '../orchestration/custody.types.js';
import { sha256DigestSchema, uuidSchema } from '../primitives/scalars.schema.js';
import { inputsOf } from './activity-inputs.js';
import { launchFamilySchema } from './launch.inputs.js';

/** Input schemas of the operations of `launch-custody`. */
export const custodyInputs = inputsOf<CustodyOperations>()({
  signPermit: z.tuple([
    z.strictObject({
      launchId: uuidSchema,
      family: launchFamilySchema.optional(),
      requestSha256: sha256DigestSchema,
      receiptSha256: sha256DigestSchema,
      usdReferenceSha256: sha256DigestSchema.optional(),
    }),
  ]),
  refuseLaunch: z.tuple([
    z.strictObject({
      launchId: uuidSchema,
      requestSha256: sha256DigestSchema,
      refusalSha256: sha256DigestSchema.nullable(),
    }),
  ]),
});
