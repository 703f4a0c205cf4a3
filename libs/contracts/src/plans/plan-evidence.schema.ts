import { z } from 'zod';
import { customLaunchContextSchema } from '../launch/custom-launch-context.schema.js';
import { finalityEvidenceMembers, stepProofsSchema } from '../launch/finality-evidence.schema.js';
import { unixSecondsSchema } from '../primitives/scalars.schema.js';
import { planHandoffStepSchema } from './plan-handoff.schema.js';

export const PLAN_STEP_EVIDENCE_SCHEMA = 'service.custom-launch-plan-step-evidence.v1';

/**
 * The proof that a step was executed: its exact transaction with its component's code or with the router's stamp. For
 * an atomic plan, the stamp alone, in any transaction.
 */
export const STEP_PROVEN_BY = ['transaction_and_code', 'transaction_and_stamp', 'stamp'] as const;
export type StepProvenBy = (typeof STEP_PROVEN_BY)[number];

/**
 * Evidence of one step, with its own part of the hand-off. The evidence of the step that stamps is public once the plan
 * is in the feed, so it identifies observers by name, never by address.
 */
export const planStepEvidenceSchema = z
  .strictObject({
    /** `launch.launchId` is the plan; `launch.handoffSha256` covers the whole hand-off. */
    ...finalityEvidenceMembers(
      PLAN_STEP_EVIDENCE_SCHEMA,
      customLaunchContextSchema,
      z.strictObject({ validAfter: unixSecondsSchema, deadline: unixSecondsSchema, step: planHandoffStepSchema }),
    ),
    provenBy: z.enum(STEP_PROVEN_BY),
    proofs: stepProofsSchema.nullable(),
  })
  .meta({ id: 'CustomLaunchPlanStepEvidence' });
export type PlanStepEvidence = z.infer<typeof planStepEvidenceSchema>;
