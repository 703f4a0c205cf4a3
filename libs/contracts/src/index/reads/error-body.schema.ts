import { z } from 'zod';
import { CUSTOM_LAUNCH_CODES } from '../../errors/custom-launch.catalogue.js';
import { errorBodySchema } from '../../validation/finding.schema.js';

/**
 * Error body of the public index reads: the members of the multi-role error body, with the codes of the index added.
 */
export const indexErrorBodySchema = z
  .strictObject({
    error: z.strictObject({ ...errorBodySchema.shape.error.shape, code: z.enum(CUSTOM_LAUNCH_CODES) }),
  })
  .meta({ id: 'IndexErrorBody' });
