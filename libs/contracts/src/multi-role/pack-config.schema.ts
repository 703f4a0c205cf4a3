import { z } from 'zod';
import { LIMITS } from '../primitives/limits.js';
import {
  addressSchema,
  base64Schema,
  bytes32Schema,
  sha256DigestSchema,
  slugSchema,
  sourcePathSchema,
  uint256Schema,
} from '../primitives/scalars.schema.js';
import { externalContractSchema, graphBundleSchema, liquidityModelSchema } from '../launch/graph.schema.js';
import { permitWindowSchema } from '../launch/permit-window.schema.js';
import {
  additionalFileSchema,
  attestationSchema,
  componentCompilationSchema,
  projectMetadataSchema,
} from '../launch/source.schema.js';
import { contextSchema } from './context.schema.js';
import { fundingPlanSchema, fundingSchema } from './funding.schema.js';

export const PACK_CONFIG_SCHEMA = 'service.multi-role-request-pack-config.v2';

/** The offline packer's configuration; closed, formatted JSON allowed (docs/reference/multi-role.md#packer). */
export const packConfigSchema = z.strictObject({
  schemaVersion: z.literal(PACK_CONFIG_SCHEMA),
  context: contextSchema,
  launchWallet: addressSchema,
  nonce: uint256Schema,
  permitWindow: permitWindowSchema,
  source: z.strictObject({
    sourceLineageNonce: bytes32Schema,
    publicOriginCommitment: bytes32Schema,
    imagePath: sourcePathSchema,
    additionalFiles: z.array(additionalFileSchema).max(64),
  }),
  compiler: z.strictObject({
    compilationUnits: z
      .array(
        z.strictObject({
          compilationUnitId: slugSchema,
          compilerVersion: z.string().min(1).max(32),
          standardJsonInputBase64: base64Schema(LIMITS.requestBytes),
        }),
      )
      .min(1)
      .max(8),
    components: z.array(componentCompilationSchema).min(1).max(16),
  }),
  externalContracts: z.array(externalContractSchema).max(32),
  graphBundle: graphBundleSchema,
  projectMetadata: projectMetadataSchema,
  funding: fundingSchema,
  fundingPlan: fundingPlanSchema,
  liquidityModel: liquidityModelSchema,
  attestation: attestationSchema,
  behaviorScenarioInputs: z.record(z.string(), z.unknown()).optional(),
});
export type PackConfig = z.infer<typeof packConfigSchema>;

/** The report that `pack` prints (docs/reference/multi-role.md#packer). */
export const packReportSchema = z.strictObject({
  schemaVersion: z.literal('service.multi-role-request-pack-report.v2'),
  requestSha256: sha256DigestSchema,
  requestHash: bytes32Schema,
  sourceBundleSha256: sha256DigestSchema,
  contextHash: bytes32Schema,
  artifactHash: bytes32Schema,
  byteLength: z.number().int().positive(),
  idempotencyKey: z.string(),
  productionAuthority: z.literal(false),
  walletSigning: z.literal(false),
  compilerExecution: z.literal('required-on-server'),
});
export type PackReport = z.infer<typeof packReportSchema>;

export const PACK_ERROR_CODES = [
  'MULTI_ROLE_PACK_CONFIG_INVALID',
  'MULTI_ROLE_PACK_IO_ERROR',
  'MULTI_ROLE_PACK_ARGUMENTS_INVALID',
  'MULTI_ROLE_PACK_REFERENCE_INVALID',
] as const;
export const packErrorSchema = z.strictObject({
  schemaVersion: z.literal('service.multi-role-request-pack-error.v2'),
  code: z.enum(PACK_ERROR_CODES),
  message: z.string(),
  findings: z
    .array(
      z.strictObject({
        path: z.string(),
        message: z.string(),
        /** Present for a number outside its bounds; other values come from the input and are not repeated. */
        expected: z.string().max(256).optional(),
        actual: z.string().max(256).optional(),
      }),
    )
    .max(LIMITS.findings),
});
