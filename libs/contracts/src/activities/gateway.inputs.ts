import { z } from 'zod';
import { customLaunchAssessmentSchema } from '../custom-launch/admission-documents.schema.js';
import { sourceAssessmentSchema } from '../multi-role/resource.schema.js';
import type { GatewayActivities } from '../orchestration/gateway.types.js';
import { sha256DigestSchema, uuidSchema } from '../primitives/scalars.schema.js';
import { inputsOf } from './activity-inputs.js';
import { signedPollSchema } from './finality.inputs.js';
import { findingsSchema, reasonSchema, statementSignatureSchema } from './launch.inputs.js';
import { foundStampsSchema, recoveryReportSchema } from './recovery.inputs.js';

const launch = { launchId: uuidSchema };
const signed = { signed: statementSignatureSchema.optional() };
const byAdmission = { ...launch, by: z.literal('admission') };
const observedSchema = z.strictObject({ ...launch, observed: signedPollSchema });

/** Argument schemas of the activities of `launch-gateway`. */
export const gatewayInputs = inputsOf<GatewayActivities>()({
  authorizationGate: z.tuple([z.strictObject(launch)]),
  recordAdmitting: z.tuple([z.strictObject({ ...launch, reason: reasonSchema.optional(), ...signed })]),
  recordAssessment: z.tuple([
    z.strictObject({
      ...launch,
      assessment: z.union([sourceAssessmentSchema, customLaunchAssessmentSchema]),
      findings: findingsSchema,
      ...signed,
    }),
  ]),
  recordRefused: z.tuple([
    z.strictObject({ ...launch, findings: findingsSchema, nonceReleased: z.boolean(), ...signed }),
  ]),
  recordHandoff: z.tuple([z.strictObject({ ...launch, handoffSha256: sha256DigestSchema, ...signed })]),
  recordAwaitingSignature: z.tuple([z.strictObject(launch)]),
  recordSubmitted: z.tuple([observedSchema]),
  recordWalletState: z.tuple([observedSchema]),
  recordFinality: z.tuple([observedSchema]),
  recordFinalized: z.tuple([
    z.strictObject({ ...observedSchema.shape, recordSha256: sha256DigestSchema, signed: statementSignatureSchema }),
  ]),
  recordFailed: z.tuple([
    z.union([observedSchema, z.strictObject({ ...byAdmission, findings: findingsSchema, ...signed })]),
  ]),
  recordExpired: z.tuple([z.union([observedSchema, z.strictObject(byAdmission)])]),
  recoveryTargets: z.tuple([]),
  resolveStamps: z.tuple([foundStampsSchema]),
  recordRecovery: z.tuple([recoveryReportSchema]),
});
