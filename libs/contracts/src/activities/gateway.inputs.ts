import { z } from 'zod';
import { customLaunchAssessmentSchema } from '../custom-launch/admission-documents.schema.js';
import { customLaunchFinalitySchema } from '../custom-launch/finality.schema.js';
import { WALLET_REASONS } from '../states/custom-launch-states.js';
import { anyFinalityStatusSchema } from '../multi-role/finality-v3.schema.js';
import { sourceAssessmentSchema } from '../multi-role/resource.schema.js';
import type { GatewayActivities } from '../orchestration/gateway.types.js';
import { bytes32Schema, sha256DigestSchema, uuidSchema } from '../primitives/scalars.schema.js';
import { inputsOf } from './activity-inputs.js';
import { findingsSchema, reasonSchema } from './launch.inputs.js';
import { foundStampsSchema, recoveryReportSchema } from './recovery.inputs.js';

const launch = { launchId: uuidSchema };
const sequence = z.number().int().nonnegative();
const inOrder = { sequence: sequence.optional() };
const ended = {
  ...inOrder,
  by: z.literal('admission').optional(),
  evidenceSha256: sha256DigestSchema.optional(),
};
const finality = z.union([anyFinalityStatusSchema, customLaunchFinalitySchema]);

/** Argument schemas of the activities of `launch-gateway`. */
export const gatewayInputs = inputsOf<GatewayActivities>()({
  authorizationGate: z.tuple([z.strictObject(launch)]),
  recordAdmitting: z.tuple([z.strictObject({ ...launch, reason: reasonSchema.optional() })]),
  recordAssessment: z.tuple([
    z.strictObject({
      ...launch,
      assessment: z.union([sourceAssessmentSchema, customLaunchAssessmentSchema]),
      findings: findingsSchema,
    }),
  ]),
  recordRefused: z.tuple([z.strictObject({ ...launch, findings: findingsSchema, nonceReleased: z.boolean() })]),
  recordHandoff: z.tuple([z.strictObject({ ...launch, handoffSha256: sha256DigestSchema })]),
  recordAwaitingSignature: z.tuple([z.strictObject(launch)]),
  recordSubmitted: z.tuple([z.strictObject({ ...launch, transactionHash: bytes32Schema, ...inOrder })]),
  recordWalletState: z.tuple([z.strictObject({ ...launch, reason: z.enum(WALLET_REASONS).nullable(), sequence })]),
  recordFinality: z.tuple([z.strictObject({ ...launch, finality, ...inOrder })]),
  recordFinalized: z.tuple([
    z.strictObject({
      ...launch,
      recordSha256: sha256DigestSchema,
      evidenceSha256: sha256DigestSchema.optional(),
      finality,
      ...inOrder,
    }),
  ]),
  recordFailed: z.tuple([z.strictObject({ ...launch, findings: findingsSchema, ...ended })]),
  recordExpired: z.tuple([z.strictObject({ ...launch, ...ended })]),
  recoveryTargets: z.tuple([]),
  resolveStamps: z.tuple([foundStampsSchema]),
  recordRecovery: z.tuple([recoveryReportSchema]),
});
