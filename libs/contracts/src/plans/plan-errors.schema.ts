import { z } from 'zod';
import { customLaunchFindingSchema } from '../launch/custom-launch-finding.schema.js';
import { LIMITS } from '../primitives/limits.js';
import { requestIdSchema } from '../primitives/scalars.schema.js';
import { PLAN_ERROR_STATUSES } from './plan-statuses.js';

/** `CustomLaunchPlanErrorsV1`: every error of the plan transport, all its findings at once. */
export const planErrorsSchema = z
  .strictObject({
    schemaVersion: z.literal('service.custom-launch-plan-errors.v1'),
    requestId: requestIdSchema,
    status: z.union(PLAN_ERROR_STATUSES.map((status) => z.literal(status))),
    retryable: z.boolean(),
    retryAfterSeconds: z.int().nonnegative().nullable(),
    statusUrl: z.string().nullable(),
    errors: z.array(customLaunchFindingSchema).min(1).max(LIMITS.findings),
    truncated: z.boolean().describe('Whether findings were omitted from the list.'),
  })
  .meta({ id: 'CustomLaunchPlanErrorsV1' });
export type PlanErrors = z.infer<typeof planErrorsSchema>;
