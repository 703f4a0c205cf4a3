import { z } from 'zod';
import { customLaunchContextSchema } from '../custom-launch/context.schema.js';
import { finalityEvidenceSchema, stepProofsSchema } from '../multi-role/finality-evidence.schema.js';
import { unixSecondsSchema } from '../primitives/scalars.schema.js';
import { planHandoffStepSchema } from './plan-handoff.schema.js';

export const PLAN_STEP_EVIDENCE_SCHEMA = 'service.custom-launch-plan-step-evidence.v1';

/**
 * What shows that a step was carried out: its exact transaction with its component's code, or with the router's stamp; of
 * an atomic plan the stamp alone, whatever transaction it came in.
 */
export const STEP_PROVEN_BY = ['transaction_and_code', 'transaction_and_stamp', 'stamp'] as const;
export type StepProvenBy = (typeof STEP_PROVEN_BY)[number];

/**
 * What the end of one step rests on: what the bundle of a launch has, with the step's own part of the hand-off. The one of
 * the step that stamps is public once the plan is in the feed: observers stand in it by their names, never by an address.
 */
export const planStepEvidenceSchema = z
  .strictObject({
    ...finalityEvidenceSchema.shape,
    schemaVersion: z.literal(PLAN_STEP_EVIDENCE_SCHEMA),
    /** The plan is `launch.launchId`; `launch.handoffSha256` is the whole hand-off. */
    context: customLaunchContextSchema,
    handoff: z.strictObject({
      validAfter: unixSecondsSchema,
      deadline: unixSecondsSchema,
      step: planHandoffStepSchema,
    }),
    provenBy: z.enum(STEP_PROVEN_BY),
    proofs: stepProofsSchema.nullable(),
  })
  .meta({ id: 'CustomLaunchPlanStepEvidence' });
export type PlanStepEvidence = z.infer<typeof planStepEvidenceSchema>;
