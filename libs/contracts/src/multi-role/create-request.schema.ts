import { z } from 'zod';
import { addressSchema, bytes32Schema, uint256Schema } from '../primitives/scalars.schema.js';
import { contextSchema } from './context.schema.js';
import { contextCommitmentsSchema } from '../launch/context-parts.schema.js';
import { externalContractSchema, graphBundleSchema, liquidityModelSchema } from '../launch/graph.schema.js';
import { permitWindowSchema } from '../launch/permit-window.schema.js';
import {
  attestationSchema,
  compilerVerificationSchema,
  projectMetadataSchema,
  sourceSchema,
} from '../launch/source.schema.js';
import { fundingPlanSchema, fundingSchema } from './funding.schema.js';

export const CREATE_REQUEST_SCHEMA = 'service.multi-role-custom-launch-create-request.v2';

/**
 * The immutable launch request: canonical JSON, at most 16 MiB. Sources appear once, inside the Standard JSON inputs; the
 * manifest lists all paths (docs/reference/requests-and-hashes.md#source-bundle).
 */
export const createRequestSchema = z
  .strictObject({
    schemaVersion: z.literal(CREATE_REQUEST_SCHEMA),
    context: contextSchema,
    contextCommitments: contextCommitmentsSchema,
    launchWallet: addressSchema,
    nonce: uint256Schema,
    permitWindow: permitWindowSchema,
    source: sourceSchema,
    externalContracts: z.array(externalContractSchema).max(32),
    graphBundle: graphBundleSchema,
    projectMetadata: projectMetadataSchema,
    compilerVerification: compilerVerificationSchema,
    funding: fundingSchema,
    fundingPlan: fundingPlanSchema,
    liquidityModel: liquidityModelSchema,
    launchIntentHash: bytes32Schema,
    attestation: attestationSchema,
    behaviorScenarioInputs: z.record(z.string(), z.unknown()).optional(),
    behaviorScenarioInputsHash: bytes32Schema.optional(),
  })
  .refine(
    (request) => (request.behaviorScenarioInputs === undefined) === (request.behaviorScenarioInputsHash === undefined),
    {
      message: 'behaviorScenarioInputs and behaviorScenarioInputsHash appear together or not at all',
      path: ['behaviorScenarioInputsHash'],
    },
  )
  .meta({ id: 'CreateRequest' });
export type CreateRequest = z.infer<typeof createRequestSchema>;
