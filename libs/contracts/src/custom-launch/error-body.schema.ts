import { z } from 'zod';
import { CUSTOM_LAUNCH_CODES } from '../errors/custom-launch.catalogue.js';
import { errorBodySchema } from '../validation/finding.schema.js';
import { LIMITS } from '../primitives/limits.js';
import { customLaunchFindingSchema } from '../launch/custom-launch-finding.schema.js';

/** Error body of the custom-launch routes: the members of the multi-role error body, with the codes of these routes. */
export const customLaunchErrorBodySchema = z
  .strictObject({
    error: z.strictObject({
      ...errorBodySchema.shape.error.shape,
      code: z.enum(CUSTOM_LAUNCH_CODES),
      findings: z.array(customLaunchFindingSchema).max(LIMITS.findings),
    }),
  })
  .meta({ id: 'CustomLaunchErrorBody' });
export type CustomLaunchErrorBody = z.infer<typeof customLaunchErrorBodySchema>;
