import { z } from 'zod';
import { handoffSimulationSchema, walletTransactionSchema } from '../launch/wallet-transaction.schema.js';
import {
  addressSchema,
  bytes32Schema,
  decimalSchema,
  hexBytesSchema,
  sha256DigestSchema,
  timestampSchema,
  uint256Schema,
  unixSecondsSchema,
  uuidSchema,
} from '../primitives/scalars.schema.js';
import { stepIdSchema } from './plan-steps.js';

/** One step per component, and the registration. */
const MAX_STEPS = 17;

const ordinalSchema = z
  .number()
  .int()
  .min(0)
  .max(MAX_STEPS - 1);

const transactionStepSchema = z.strictObject({
  kind: z.enum(['deploy_component', 'register']),
  stepId: stepIdSchema,
  ordinal: ordinalSchema,
  dependsOn: z.array(stepIdSchema).max(MAX_STEPS),
  walletTransaction: walletTransactionSchema,
});

/** The calls of one EIP-5792 batch, in their order, and the digest that its authorization names. */
const batchStepSchema = z.strictObject({
  kind: z.literal('atomic_launch'),
  stepId: z.literal('atomic-launch'),
  ordinal: z.literal(0),
  dependsOn: z.array(stepIdSchema).length(0),
  calls: z
    .array(z.strictObject({ to: addressSchema, value: uint256Schema, data: hexBytesSchema(128 * 1024) }))
    .min(1)
    .max(MAX_STEPS),
  digest: bytes32Schema,
});

export const planHandoffStepSchema = z.discriminatedUnion('kind', [transactionStepSchema, batchStepSchema]);
export type PlanHandoffStep = z.infer<typeof planHandoffStepSchema>;

/**
 * The exact transactions of a signed plan, as the services exchange them. Every calldata contains the permit and its
 * signature. The document is written once; clients see the part of a step when the step is offered.
 */
export const planHandoffSchema = z.strictObject({
  schemaVersion: z.literal('service.custom-launch-plan-handoff.v1'),
  planId: uuidSchema,
  requestSha256: sha256DigestSchema,
  requestHash: bytes32Schema,
  contextHash: bytes32Schema,
  artifactHash: bytes32Schema,
  permitDigest: bytes32Schema,
  validAfter: unixSecondsSchema,
  deadline: unixSecondsSchema,
  createdAt: timestampSchema,
  /** All steps in order, in one block; the gas covers all of them. */
  simulation: handoffSimulationSchema,
  usdReference: z.strictObject({ oneUsdReferenceWei: decimalSchema, readAt: timestampSchema }).nullable(),
  steps: z.array(planHandoffStepSchema).min(1).max(MAX_STEPS),
});
export type PlanHandoff = z.infer<typeof planHandoffSchema>;
