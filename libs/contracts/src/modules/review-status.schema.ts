import { z } from 'zod';
import {
  addressSchema,
  bytes32Schema,
  sha256DigestSchema,
  timestampSchema,
  uuidSchema,
} from '../primitives/scalars.schema.js';
import { MODULE_REVIEW_CAPABILITIES_SCHEMA, MODULE_REVIEW_STATUS_SCHEMA } from './module-limits.js';
import { nextActionOf, NEXT_ACTIONS, REVIEW_STATES } from '../states/review-states.js';

export const DECISION_OUTCOMES = ['accept', 'request_changes', 'reject'] as const;
export type DecisionOutcome = (typeof DECISION_OUTCOMES)[number];

/**
 * The review of a module as its author reads it; the last four members are false in every state
 * (docs/reference/modules.md#review-status).
 */
export const moduleReviewStatusSchema = z
  .strictObject({
    schemaVersion: z.literal(MODULE_REVIEW_STATUS_SCHEMA),
    submissionId: uuidSchema,
    packageId: bytes32Schema,
    requestDigest: sha256DigestSchema,
    review: z
      .strictObject({
        state: z.enum(REVIEW_STATES),
        /** Increases by one with each transition. */
        revision: z.number().int().nonnegative(),
        /** 0 before the first build. */
        attempt: z.number().int().nonnegative(),
        nextAction: z.enum(NEXT_ACTIONS),
        createdAt: timestampSchema,
        updatedAt: timestampSchema,
        queuedAt: timestampSchema.nullable(),
        startedAt: timestampSchema.nullable(),
        builtAt: timestampSchema.nullable(),
        decidedAt: timestampSchema.nullable(),
      })
      .refine(({ state, nextAction }) => nextAction === nextActionOf(state), {
        path: ['nextAction'],
        error: 'the action of the state',
      }),
    lastError: z
      .strictObject({ code: z.string().min(1).max(64), message: z.string().max(512), at: timestampSchema })
      .nullable(),
    decision: z
      .strictObject({
        outcome: z.enum(DECISION_OUTCOMES),
        reason: z.string().max(4_096),
        reviewerWallet: addressSchema,
        decidedAt: timestampSchema,
        /** EIP-712 digest. */
        digest: bytes32Schema,
        artifactDigest: sha256DigestSchema.nullable(),
        hostManifestDigest: sha256DigestSchema.nullable(),
      })
      .nullable(),
    buildEvidenceRecorded: z.boolean(),
    build: z
      .strictObject({
        artifactDigest: sha256DigestSchema,
        hostManifestDigest: sha256DigestSchema,
        toolchainDigest: sha256DigestSchema,
        logsSha256: sha256DigestSchema,
      })
      .nullable(),
    sourceRevisionVerified: z.literal(false),
    runtimeVerified: z.literal(false),
    approved: z.literal(false),
    available: z.literal(false),
  })
  .meta({ id: 'ModuleReviewStatus' });
export type ModuleReviewStatus = z.infer<typeof moduleReviewStatusSchema>;

/**
 * Whether the review service can work; it is ready only with database, policy and worker together
 * (docs/reference/modules.md#review-readiness).
 */
export const moduleReviewCapabilitiesSchema = z
  .strictObject({
    schemaVersion: z.literal(MODULE_REVIEW_CAPABILITIES_SCHEMA),
    reviewAvailable: z.boolean(),
    statusReadAvailable: z.boolean(),
    databaseReady: z.boolean(),
    workerAuthorityReady: z.boolean(),
    reviewerPolicyDigest: sha256DigestSchema.nullable(),
    workerSourceCommit: z
      .string()
      .regex(/^[0-9a-f]{40}$/)
      .nullable(),
    approved: z.literal(false),
    available: z.literal(false),
  })
  .refine(
    ({ reviewAvailable, databaseReady, workerAuthorityReady, reviewerPolicyDigest }) =>
      !reviewAvailable || (databaseReady && workerAuthorityReady && reviewerPolicyDigest !== null),
    { path: ['reviewAvailable'], error: 'needs database, policy and worker together' },
  )
  .meta({ id: 'ModuleReviewCapabilities' });
export type ModuleReviewCapabilities = z.infer<typeof moduleReviewCapabilitiesSchema>;
