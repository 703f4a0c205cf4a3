import { z } from 'zod';
import { namedTransactionSchema, stageFinalitySchema } from '../launch/finality-parts.schema.js';
import {
  MAX_STEP_PROOFS,
  type PlanAdmissionActivities,
  type PlanFinalityActivities,
  type PlanGatewayActivities,
} from '../orchestration/plan.types.js';
import { STEP_STATUSES } from '../states/plan-states.js';
import { stepIdSchema } from '../plans/plan-steps.js';
import {
  bytes32Schema,
  decimalSchema,
  sha256DigestSchema,
  timestampSchema,
  uuidSchema,
} from '../primitives/scalars.schema.js';
import { inputsOf } from './activity-inputs.js';
import { observationMemorySchema } from './finality.inputs.js';
import { findingsSchema } from './launch.inputs.js';

const MAX_STEPS = 17;
const sequence = z.number().int().nonnegative();
const plan = { planId: uuidSchema, requestSha256: sha256DigestSchema, handoffSha256: sha256DigestSchema };
const planStepSchema = z.strictObject({ ...plan, stepId: stepIdSchema });

const stepProjectionSchema = z.strictObject({
  stepId: stepIdSchema,
  status: z.enum(STEP_STATUSES),
  simulation: z
    .strictObject({ blockNumber: decimalSchema, blockHash: bytes32Schema, gasUsed: decimalSchema })
    .nullable(),
  finality: z.strictObject({
    stage: stageFinalitySchema.shape.stage,
    inclusion: stageFinalitySchema.shape.l2Inclusion,
    posting: stageFinalitySchema.shape.l1Posting,
    checkpoint: stageFinalitySchema.shape.l1FinalizedCheckpoint,
    estimatedNextStageAt: timestampSchema.nullable(),
  }),
  transactions: z.array(namedTransactionSchema).max(MAX_STEP_PROOFS + 4),
  evidenceSha256: sha256DigestSchema.nullable(),
});

/** Argument schemas of the activities of a plan, grouped by the service that hosts them. */
export const planFinalityInputs = inputsOf<PlanFinalityActivities>()({
  readPlan: z.tuple([z.strictObject(plan)]),
  observeStep: z.tuple([
    z.strictObject({
      ...planStepSchema.shape,
      hints: z.array(bytes32Schema).max(MAX_STEP_PROOFS),
      memory: observationMemorySchema.nullable(),
    }),
  ]),
  buildPlanRecord: z.tuple([
    z.strictObject({
      ...plan,
      memory: observationMemorySchema,
      evidenceSha256: sha256DigestSchema,
      finalizedAt: timestampSchema,
    }),
  ]),
});
export const planAdmissionInputs = inputsOf<PlanAdmissionActivities>()({ simulateStep: z.tuple([planStepSchema]) });
export const planGatewayInputs = inputsOf<PlanGatewayActivities>()({
  recordPlanSteps: z.tuple([
    z.strictObject({
      planId: uuidSchema,
      sequence,
      status: z.enum(['awaiting_wallet', 'in_progress', 'finalizing']),
      steps: z.array(stepProjectionSchema).min(1).max(MAX_STEPS),
    }),
  ]),
  recordPlanEnded: z.tuple([
    z.strictObject({
      planId: uuidSchema,
      sequence,
      outcome: z.enum(['finalized', 'failed', 'expired']),
      findings: findingsSchema,
      record: z.strictObject({ recordSha256: sha256DigestSchema, evidenceSha256: sha256DigestSchema }).nullable(),
    }),
  ]),
});
