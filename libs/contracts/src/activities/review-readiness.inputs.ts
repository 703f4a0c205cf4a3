import { z } from 'zod';
import { ed25519SignatureSchema } from '../modules/reviewer-policy.schema.js';
import type { ReviewReadinessActivities } from '../orchestration/review-readiness.types.js';
import { bytes32Schema, sha256DigestSchema, sourceCommitSchema } from '../primitives/scalars.schema.js';
import { inputsOf } from './activity-inputs.js';

/** Argument schemas of the activities of `launch-module-review` that check the readiness of the review service. */
export const reviewReadinessInputs = inputsOf<ReviewReadinessActivities>()({
  reviewSelfCheck: z.tuple([]),
  judgeBuilder: z.tuple([
    z.strictObject({
      question: z.strictObject({ reviewerPolicyDigest: sha256DigestSchema, nonce: bytes32Schema }),
      answer: z.strictObject({
        workerSourceCommit: sourceCommitSchema,
        workerPublicKey: z.string().max(256),
        sampleSha256: sha256DigestSchema,
        signature: ed25519SignatureSchema,
      }),
    }),
  ]),
});
