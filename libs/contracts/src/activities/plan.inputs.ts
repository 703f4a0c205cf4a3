import { z } from 'zod';
import { namedTransactionSchema } from '../launch/finality-parts.schema.js';
import {
  MAX_STEP_PROOFS,
  type PlanAdmissionActivities,
  type PlanFinalityActivities,
  type PlanGatewayActivities,
} from '../orchestration/plan.types.js';
import { STEP_STATUSES } from '../states/plan-states.js';
import { stepIdSchema } from '../plans/plan-steps.js';
import { bytes32Schema, decimalSchema, sha256DigestSchema, uuidSchema } from '../primitives/scalars.schema.js';
import { inputsOf } from './activity-inputs.js';
import { observedPollSchema } from './finality.inputs.js';
import { statementSignatureSchema } from './launch.inputs.js';

const MAX_STEPS = 17;
const sequence = z.number().int().nonnegative();
const plan = { planId: uuidSchema, requestSha256: sha256DigestSchema, handoffSha256: sha256DigestSchema };
const planStepSchema = z.strictObject({ ...plan, stepId: stepIdSchema });

const transactions = z.array(namedTransactionSchema).max(MAX_STEP_PROOFS + 4);
/** The members of a step's poll that its signature covers. */
export const stepPollSchema = z.strictObject({
  memory: observedPollSchema.shape.memory,
  observation: observedPollSchema.shape.observation,
  estimatedNextStageAt: observedPollSchema.shape.estimatedNextStageAt,
  evidenceSha256: observedPollSchema.shape.evidenceSha256,
  transactions,
});
const signedStepPollSchema = z.strictObject({ ...stepPollSchema.shape, signed: statementSignatureSchema });
/** The members of a step's simulation that its signature covers. */
export const stepSimulationSchema = z.strictObject({
  blockNumber: decimalSchema,
  blockHash: bytes32Schema,
  gasUsed: decimalSchema,
});

const stepProjectionSchema = z.strictObject({
  stepId: stepIdSchema,
  status: z.enum(STEP_STATUSES),
  simulation: z.strictObject({ ...stepSimulationSchema.shape, signed: statementSignatureSchema }).nullable(),
  observed: signedStepPollSchema.nullable(),
});

/** Argument schemas of the activities of a plan, grouped by the service that hosts them. */
export const planFinalityInputs = inputsOf<PlanFinalityActivities>()({
  readPlan: z.tuple([z.strictObject(plan)]),
  observeStep: z.tuple([
    z.strictObject({
      ...planStepSchema.shape,
      hints: z.array(bytes32Schema).max(MAX_STEP_PROOFS),
      before: signedStepPollSchema.nullable(),
    }),
  ]),
  buildPlanRecord: z.tuple([z.strictObject({ ...plan, observed: signedStepPollSchema })]),
});
export const planAdmissionInputs = inputsOf<PlanAdmissionActivities>()({ simulateStep: z.tuple([planStepSchema]) });
export const planGatewayInputs = inputsOf<PlanGatewayActivities>()({
  recordPlanSteps: z.tuple([
    z.strictObject({
      planId: uuidSchema,
      sequence,
      steps: z.array(stepProjectionSchema).min(1).max(MAX_STEPS),
    }),
  ]),
  recordPlanEnded: z.tuple([
    z.strictObject({
      planId: uuidSchema,
      sequence,
      outcome: z.enum(['finalized', 'failed', 'expired']),
      record: z
        .strictObject({
          recordSha256: sha256DigestSchema,
          evidenceSha256: sha256DigestSchema,
          signed: statementSignatureSchema,
        })
        .nullable(),
    }),
  ]),
});
