import { z } from 'zod';
import { customLaunchContextSchema } from '../launch/custom-launch-context.schema.js';
import { finalityEvidenceMembers } from '../launch/finality-evidence.schema.js';
import { customLaunchHandoffSchema } from './resource.schema.js';

export const CUSTOM_LAUNCH_EVIDENCE_SCHEMA = 'service.custom-launch-finality-evidence.v4';

/**
 * Evidence of a custom launch, with the context that the request names by its hash. Public once the launch is in the
 * feed: it identifies observers by name, never by address.
 */
export const customLaunchEvidenceSchema = z
  .strictObject(
    finalityEvidenceMembers(CUSTOM_LAUNCH_EVIDENCE_SCHEMA, customLaunchContextSchema, customLaunchHandoffSchema),
  )
  .meta({ id: 'CustomLaunchFinalityEvidence' });
export type CustomLaunchEvidence = z.infer<typeof customLaunchEvidenceSchema>;
