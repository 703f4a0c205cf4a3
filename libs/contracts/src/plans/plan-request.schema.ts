import { z } from 'zod';
import { customLaunchMembers } from '../launch/custom-launch-body.schema.js';
import { canonicalSha256 } from '../primitives/digest.js';
import { sha256DigestSchema, uuidSchema, type Sha256Digest } from '../primitives/scalars.schema.js';

export const PLAN_REQUEST_SCHEMA = 'service.custom-launch-plan.v1';

/**
 * `sequential`: one transaction per step. `atomic`: the same calls as one batch, for a wallet with that capability
 * (EIP-5792).
 */
export const PLAN_MODES = ['sequential', 'atomic'] as const;
export type PlanMode = (typeof PLAN_MODES)[number];

/** The immutable request of a plan: strict JSON of at most 16 MiB, in any order of members. */
export const planRequestSchema = z
  .strictObject({
    schemaVersion: z.literal(PLAN_REQUEST_SCHEMA),
    profile: z.literal('4.1.0'),
    ...customLaunchMembers,
    mode: z.enum(PLAN_MODES),
    /** The plan that this one supersedes: of the same controller, ended below finality, without another successor. */
    predecessor: z.strictObject({ planId: uuidSchema, planDigest: sha256DigestSchema }).nullable(),
  })
  .meta({ id: 'CustomLaunchPlanV1' });
export type PlanRequest = z.infer<typeof planRequestSchema>;

/**
 * Returns SHA-256 of the plan's canonical JSON, which equals the digest of its bytes if the client packed canonically.
 */
export const planDigest = (plan: PlanRequest): Sha256Digest => canonicalSha256(plan);
