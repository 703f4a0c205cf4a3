import { z } from 'zod';
import { BUILD_FAILURE_CODES } from '../modules/build-profile.js';
import { REVIEW_TRIGGERS } from '../states/review-states.js';
import { DECISION_OUTCOMES } from '../modules/review-status.schema.js';
import { ed25519SignatureSchema } from '../modules/reviewer-policy.schema.js';
import type { ModuleReviewActivities } from '../orchestration/module-review.types.js';
import {
  addressSchema,
  bytes32Schema,
  sha256DigestSchema,
  timestampSchema,
  uuidSchema,
} from '../primitives/scalars.schema.js';
import { inputsOf } from './activity-inputs.js';

const count = z.number().int().nonnegative();
const ofPlan = { submissionId: uuidSchema, planSha256: sha256DigestSchema };
const builtSchema = z.strictObject({
  status: z.literal('built'),
  artifactSha256: sha256DigestSchema,
  hostManifestSha256: sha256DigestSchema,
  toolchainSha256: sha256DigestSchema,
  logsSha256: sha256DigestSchema,
  findingsSha256: sha256DigestSchema,
  signature: ed25519SignatureSchema,
});

/** Argument schemas of the activities of `launch-module-review`. */
export const moduleReviewInputs = inputsOf<ModuleReviewActivities>()({
  openReview: z.tuple([
    z.strictObject({
      submissionId: uuidSchema,
      requestDigest: sha256DigestSchema,
      packageId: bytes32Schema,
      author: addressSchema,
      supersedes: uuidSchema.nullable(),
      createdAt: timestampSchema,
    }),
  ]),
  judgePlan: z.tuple([z.strictObject(ofPlan)]),
  judgeDecision: z.tuple([
    z.strictObject({
      submissionId: uuidSchema,
      revision: count,
      outcome: z.enum(DECISION_OUTCOMES),
      decisionSha256: sha256DigestSchema,
    }),
  ]),
  prepareBuild: z.tuple([z.strictObject({ ...ofPlan, attempt: count })]),
  checkBuild: z.tuple([z.strictObject({ ...ofPlan, attempt: count, build: builtSchema })]),
  moveReview: z.tuple([
    z.strictObject({
      submissionId: uuidSchema,
      revision: count,
      trigger: z.enum(REVIEW_TRIGGERS),
      attempt: count,
      planSha256: sha256DigestSchema.nullable(),
      failure: z.strictObject({ code: z.enum(BUILD_FAILURE_CODES), place: z.string().max(2_048) }).nullable(),
      build: builtSchema.nullable(),
      decisionSha256: sha256DigestSchema.nullable(),
    }),
  ]),
});
