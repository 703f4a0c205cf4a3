import { z } from 'zod';
import { customLaunchAssessmentSchema } from '../custom-launch/admission-documents.schema.js';
import { anyFinalityStatusSchema } from '../multi-role/finality-v3.schema.js';
import { sourceAssessmentSchema } from '../multi-role/resource.schema.js';
import type { GatewayActivities } from '../orchestration/gateway.types.js';
import { bytes32Schema, sha256DigestSchema, uuidSchema } from '../primitives/scalars.schema.js';
import { inputsOf } from './activity-inputs.js';
import { findingsSchema, reasonSchema } from './launch.inputs.js';
import { foundStampsSchema, recoveryReportSchema } from './recovery.inputs.js';

const launch = { launchId: uuidSchema };
const endedBy = z.literal('admission').optional();

/** What each activity of `launch-gateway` is given. */
export const gatewayInputs = inputsOf<GatewayActivities>()({
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
  recordSubmitted: z.tuple([z.strictObject({ ...launch, transactionHash: bytes32Schema })]),
  recordFinality: z.tuple([z.strictObject({ ...launch, finality: anyFinalityStatusSchema })]),
  recordFinalized: z.tuple([
    z.strictObject({
      ...launch,
      recordSha256: sha256DigestSchema,
      evidenceSha256: sha256DigestSchema.optional(),
      finality: anyFinalityStatusSchema,
    }),
  ]),
  recordFailed: z.tuple([z.strictObject({ ...launch, findings: findingsSchema, by: endedBy })]),
  recordExpired: z.tuple([z.strictObject({ ...launch, by: endedBy })]),
  recoveryTargets: z.tuple([]),
  resolveStamps: z.tuple([foundStampsSchema]),
  recordRecovery: z.tuple([recoveryReportSchema]),
});
