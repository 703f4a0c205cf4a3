import { z } from 'zod';
import { CUSTOM_LAUNCH_CODES } from '../errors/custom-launch.catalogue.js';
import { findingSchema } from '../validation/finding.schema.js';

/** A finding of custom launches and plans. */
export const customLaunchFindingSchema = z
  .strictObject({ ...findingSchema.shape, code: z.enum(CUSTOM_LAUNCH_CODES) })
  .meta({ id: 'CustomLaunchFinding' });
