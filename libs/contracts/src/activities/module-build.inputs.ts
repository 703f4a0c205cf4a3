import { z } from 'zod';
import type { ModuleBuildActivities } from '../orchestration/module-build.types.js';
import { bytes32Schema, sha256DigestSchema, uuidSchema } from '../primitives/scalars.schema.js';
import { inputsOf } from './activity-inputs.js';

const MAX_EARLIER = 256;

/** Argument schemas of the activities of `launch-module-build`. */
export const moduleBuildInputs = inputsOf<ModuleBuildActivities>()({
  buildModule: z.tuple([
    z.strictObject({
      submissionId: uuidSchema,
      planSha256: sha256DigestSchema,
      attempt: z.number().int().positive(),
      earlier: z
        .array(z.strictObject({ submissionId: uuidSchema, findingsSha256: sha256DigestSchema }))
        .max(MAX_EARLIER),
    }),
  ]),
  attestBuilder: z.tuple([z.strictObject({ reviewerPolicyDigest: sha256DigestSchema, nonce: bytes32Schema })]),
});
