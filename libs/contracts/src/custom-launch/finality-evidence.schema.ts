import { z } from 'zod';
import { finalityEvidenceSchema } from '../multi-role/finality-evidence.schema.js';
import { customLaunchContextSchema } from './context.schema.js';
import { customLaunchHandoffSchema } from './resource.schema.js';

export const CUSTOM_LAUNCH_EVIDENCE_SCHEMA = 'service.custom-launch-finality-evidence.v4';

/**
 * What the finality of a V4 launch rests on: what the bundle of a multi-role launch has, with the context that the request
 * names by its hash. Public once the launch is in the feed: observers stand in it by their names, never by an address.
 */
export const customLaunchEvidenceSchema = z
  .strictObject({
    ...finalityEvidenceSchema.shape,
    schemaVersion: z.literal(CUSTOM_LAUNCH_EVIDENCE_SCHEMA),
    context: customLaunchContextSchema,
    handoff: customLaunchHandoffSchema,
  })
  .meta({ id: 'CustomLaunchFinalityEvidence' });
export type CustomLaunchEvidence = z.infer<typeof customLaunchEvidenceSchema>;
