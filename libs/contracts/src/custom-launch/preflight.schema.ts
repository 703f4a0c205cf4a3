import { z } from 'zod';
import { CLASSIFICATIONS, preflightMembers } from '../launch/preflight-parts.schema.js';
import { slugSchema } from '../primitives/scalars.schema.js';

/** `POST /custom-launches/preflight`. */
export const customLaunchPreflightSchema = z
  .strictObject({
    schemaVersion: z.literal('service.custom-launch-v4-preflight.v1'),
    ...preflightMembers,
    classification: z.enum(CLASSIFICATIONS),
    coverage: z.strictObject({
      seedV1: z.enum(['proof-available', 'unavailable']),
      scenarioIds: z.array(slugSchema).max(16),
    }),
  })
  .meta({ id: 'CustomLaunchPreflight' });
export type CustomLaunchPreflight = z.infer<typeof customLaunchPreflightSchema>;
