import { z } from 'zod';
import type { CustodyActivities } from '../orchestration/custody.types.js';
import { LIMITS } from '../primitives/limits.js';
import {
  addressSchema,
  bytes32Schema,
  sha256DigestSchema,
  uint256Schema,
  uuidSchema,
} from '../primitives/scalars.schema.js';
import { inputsOf } from './activity-inputs.js';
import { launchFamilySchema } from './launch.inputs.js';

/** What each activity of `launch-custody` is given. */
export const custodyInputs = inputsOf<CustodyActivities>()({
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
    z.union([
      z.strictObject({
        launchId: uuidSchema,
        requestSha256: sha256DigestSchema,
        refusalSha256: sha256DigestSchema.nullable(),
      }),
      z.strictObject({
        launchId: uuidSchema,
        requestSha256: sha256DigestSchema,
        requestHash: bytes32Schema,
        controller: addressSchema,
        nonce: uint256Schema,
        router: addressSchema,
        reasonCodes: z.array(z.string().max(128)).max(LIMITS.findings),
      }),
    ]),
  ]),
});
