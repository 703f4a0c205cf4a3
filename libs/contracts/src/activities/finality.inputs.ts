import { z } from 'zod';
import { derivedContractSchema } from '../multi-role/finality-v3.schema.js';
import { LAUNCH_FAMILIES } from '../states/launch-families.js';
import { l1CheckpointSchema, l1PostingSchema, l2InclusionSchema } from '../launch/finality-parts.schema.js';
import { MAX_HINTS, OBSERVED_STAGES, type FinalityActivities } from '../orchestration/finality.types.js';
import { bytes32Schema, sha256DigestSchema, timestampSchema, uuidSchema } from '../primitives/scalars.schema.js';
import { WALLET_REASONS } from '../states/custom-launch-states.js';
import { inputsOf } from './activity-inputs.js';
import { findingsSchema, reasonSchema, statementSignatureSchema } from './launch.inputs.js';
import { checkpointMoveSchema, scanStampsSchema } from './recovery.inputs.js';

const observedLaunch = {
  launchId: uuidSchema,
  family: z.enum(LAUNCH_FAMILIES).optional(),
  requestSha256: sha256DigestSchema,
  handoffSha256: sha256DigestSchema,
};

export const observationMemorySchema = z.strictObject({
  stage: z.enum(OBSERVED_STAGES),
  transactionHash: bytes32Schema.nullable(),
  inclusion: l2InclusionSchema.nullable(),
  posting: l1PostingSchema.nullable(),
  checkpoint: l1CheckpointSchema.nullable(),
  stageSince: timestampSchema,
  polls: z.number().int().nonnegative(),
  statedAt: timestampSchema.optional(),
  isStartSeen: z.boolean().optional(),
  derivedContracts: z.array(derivedContractSchema).max(32).optional(),
});

/** The members of a poll that its signature covers. */
export const observedPollSchema = z.strictObject({
  memory: observationMemorySchema,
  observation: z.strictObject({
    status: z.enum(['agreed', 'indeterminate']),
    reason: reasonSchema.nullable(),
    at: timestampSchema,
  }),
  estimatedNextStageAt: timestampSchema.nullable(),
  basis: z.string().max(256).nullable(),
  evidenceSha256: sha256DigestSchema.nullable(),
  findings: findingsSchema,
  v3: z.strictObject({ contextHash: bytes32Schema, onchainLaunchId: bytes32Schema }).optional(),
  wallet: z.strictObject({ reason: z.enum(WALLET_REASONS).nullable() }).optional(),
});
export const signedPollSchema = z.strictObject({ ...observedPollSchema.shape, signed: statementSignatureSchema });

/** Argument schemas of the activities of `launch-finality`. */
export const finalityInputs = inputsOf<FinalityActivities>()({
  observe: z.tuple([
    z.strictObject({
      ...observedLaunch,
      hints: z.array(bytes32Schema).max(MAX_HINTS),
      before: signedPollSchema.nullable(),
    }),
  ]),
  buildFinalizedRecord: z.tuple([z.strictObject({ ...observedLaunch, observed: signedPollSchema })]),
  finalizedHead: z.tuple([]),
  scanStamps: z.tuple([scanStampsSchema]),
  commitCheckpoint: z.tuple([checkpointMoveSchema]),
});
