import { z } from 'zod';
import { finalityEvidenceMembers } from '../launch/finality-evidence.schema.js';
import { contextSchema } from './context.schema.js';
import { walletHandoffSchema } from './wallet-handoff.schema.js';

export const FINALITY_EVIDENCE_SCHEMA = 'service.multi-role-finality-evidence.v2';

/** Evidence of a multi-role launch, for its owner: never part of the public record. */
export const finalityEvidenceSchema = z
  .strictObject(finalityEvidenceMembers(FINALITY_EVIDENCE_SCHEMA, contextSchema, walletHandoffSchema))
  .meta({ id: 'FinalityEvidence' });
export type FinalityEvidence = z.infer<typeof finalityEvidenceSchema>;
