import { z } from 'zod';
import type { ModuleGatewayActivities } from '../orchestration/module-review.types.js';
import type { ReviewReadinessGatewayActivities } from '../orchestration/review-readiness.types.js';
import { sha256DigestSchema, sourceCommitSchema, uuidSchema } from '../primitives/scalars.schema.js';
import { inputsOf } from './activity-inputs.js';

/** Argument schemas of the activities of `launch-gateway` that show reviews. */
export const moduleGatewayInputs = inputsOf<ModuleGatewayActivities & ReviewReadinessGatewayActivities>()({
  recordReview: z.tuple([
    z.strictObject({
      submissionId: uuidSchema,
      revision: z.number().int().nonnegative(),
      statusSha256: sha256DigestSchema,
      planSha256: sha256DigestSchema.nullable(),
      findingsSha256: sha256DigestSchema.nullable(),
    }),
  ]),
  recordReviewReadiness: z.tuple([
    z.strictObject({
      databaseReady: z.boolean(),
      workerAuthorityReady: z.boolean(),
      reviewerPolicyDigest: sha256DigestSchema.nullable(),
      workerSourceCommit: sourceCommitSchema.nullable(),
    }),
  ]),
});
