import { z } from 'zod';
import { customLaunchFindingSchema } from '../launch/custom-launch-finding.schema.js';
import { preflightMembers } from '../launch/preflight-parts.schema.js';
import { LIMITS } from '../primitives/limits.js';
import { sha256DigestSchema } from '../primitives/scalars.schema.js';
import { STEP_KINDS, stepIdSchema } from './plan-steps.js';

/** `POST …/custom-launch-plans:preflight`. */
export const planPreflightSchema = z
  .strictObject({
    schemaVersion: z.literal('service.custom-launch-preflight.v1'),
    ...preflightMembers,
    planDigest: sha256DigestSchema,
    findings: z.array(customLaunchFindingSchema).max(LIMITS.findings),
    steps: z
      .array(
        z.strictObject({ stepId: stepIdSchema, ordinal: z.number().int().nonnegative(), kind: z.enum(STEP_KINDS) }),
      )
      .max(17),
  })
  .meta({ id: 'CustomLaunchPreflightV1' });
export type PlanPreflight = z.infer<typeof planPreflightSchema>;
