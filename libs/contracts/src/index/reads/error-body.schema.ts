import { z } from 'zod';
import { CUSTOM_LAUNCH_CODES } from '../../errors/custom-launch.catalogue.js';
import { errorBodySchema } from '../../validation/finding.schema.js';

/** Error body of the public index reads: the multi-role one's members, with the codes of the index among its own. */
export const indexErrorBodySchema = z
  .strictObject({
    error: z.strictObject({ ...errorBodySchema.shape.error.shape, code: z.enum(CUSTOM_LAUNCH_CODES) }),
  })
  .meta({ id: 'IndexErrorBody' });
