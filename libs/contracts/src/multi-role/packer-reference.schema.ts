import { z } from 'zod';
import { LIMITS } from '../primitives/limits.js';
import {
  base64Schema,
  hexBytesSchema,
  roleMaskSchema,
  sha256DigestSchema,
  slugSchema,
  sourcePathSchema,
  uint128Schema,
  uint256Schema,
} from '../primitives/scalars.schema.js';
import { fundingPlanSchema } from './funding.schema.js';
import { compilationTargetSchema, projectMetadataSchema } from '../launch/source.schema.js';

/**
 * The published reference project of the request packer. Its inputs are inert, and no service accepts them unchanged.
 * Live values (context, wallet, nonce, window, salt, addresses) are missing instead of invented.
 */
export const PACKER_REFERENCE_SCHEMA = 'service.multi-role-request-packer-reference.v2';
export const INERT_PACK_CONFIG_SCHEMA = 'service.multi-role-request-inert-pack-config.v2';
export const PACKER_BUILD_SCHEMA = 'service.multi-role-request-packer-build.v2';

/** `zero`: no value moves. `buy`: an atomic purchase in the launch itself (docs/reference/multi-role.md#reference-inputs). */
export const REFERENCE_CASES = ['zero', 'buy'] as const;
export type ReferenceCase = (typeof REFERENCE_CASES)[number];

interface AbiParameterWire {
  name: string;
  type: string;
  internalType?: string;
  components?: AbiParameterWire[];
}
const abiParameterSchema: z.ZodType<AbiParameterWire> = z.strictObject({
  name: z.string().max(128),
  type: z.string().min(1).max(128),
  internalType: z.string().max(256).optional(),
  components: z
    .array(z.lazy(() => abiParameterSchema))
    .max(32)
    .optional(),
});

/** A compiled contract with zeros where its immutables go; each immutable is one 32-byte word at each offset. */
export const runtimeTemplateSchema = z.strictObject({
  target: compilationTargetSchema,
  creationBytecode: hexBytesSchema(LIMITS.initCodeBytes),
  runtimeTemplate: hexBytesSchema(LIMITS.runtimeCodeBytes),
  immutables: z
    .array(
      z.strictObject({
        name: z.string().min(1).max(128),
        declaredIn: z.string().min(1).max(128),
        type: z.string().min(1).max(64),
        offsets: z.array(z.number().int().nonnegative().max(LIMITS.runtimeCodeBytes)).min(1).max(256),
      }),
    )
    .max(128),
  constructorInputs: z.array(abiParameterSchema).max(32),
});
export type RuntimeTemplate = z.infer<typeof runtimeTemplateSchema>;

/**
 * Choices of the launcher in the combined Native20 project. Raw units, basis points, ticks of token per native unit.
 */
export const native20ParametersSchema = z.strictObject({
  supply: uint128Schema,
  tickLower: z.number().int().min(-887_220).max(887_220),
  tickUpper: z.number().int().min(-887_220).max(887_160),
  tickSpacing: z.literal(60),
  creatorBuyFeeBps: z.number().int().min(0).max(1_000),
  creatorSellFeeBps: z.number().int().min(0).max(1_000),
});
export type Native20Parameters = z.infer<typeof native20ParametersSchema>;

const inertParts = {
  project: z.strictObject({
    recipe: z.strictObject({ id: slugSchema, version: slugSchema }),
    parameters: native20ParametersSchema,
    component: z.strictObject({ componentId: slugSchema, roleMask: roleMaskSchema, template: runtimeTemplateSchema }),
    /** Created by the component's constructor at its first CREATE nonce. */
    child: z.strictObject({ roleMask: roleMaskSchema, createNonce: z.literal(1), template: runtimeTemplateSchema }),
    hookFlags: z.number().int().min(0).max(0x3fff),
  }),
  compiler: z.strictObject({
    compilationUnitId: slugSchema,
    compilerVersion: z.string().min(1).max(32),
    standardJsonInputSha256: sha256DigestSchema,
    standardJsonInputBase64: base64Schema(LIMITS.requestBytes),
  }),
  source: z.strictObject({
    publicOrigin: z.string().min(1).max(512),
    imagePath: sourcePathSchema,
    additionalFiles: z
      .array(z.strictObject({ path: sourcePathSchema, base64: base64Schema(LIMITS.requestBytes) }))
      .min(1)
      .max(64),
  }),
  projectMetadata: projectMetadataSchema,
};

const referenceFundingSchema = z.strictObject({ totalValueWei: uint256Schema, plan: fundingPlanSchema });

/** Output of `reference`, which the reference builder completes. It has its own schema, so `pack` refuses it. */
export const inertPackConfigSchema = z.strictObject({
  schemaVersion: z.literal(INERT_PACK_CONFIG_SCHEMA),
  case: z.enum(REFERENCE_CASES),
  ...inertParts,
  funding: referenceFundingSchema,
});
export type InertPackConfig = z.infer<typeof inertPackConfigSchema>;

/**
 * Parts of a published compiler input: every source with its digest and licence, and the notices that copies must
 * include.
 */
export const sourceClosureSchema = (sourceCount: number) =>
  z.strictObject({
    sources: z
      .array(
        z.strictObject({
          path: sourcePathSchema,
          byteLength: z.number().int().positive(),
          sha256: sha256DigestSchema,
          license: z.literal('MIT'),
          package: z.string().min(1).max(128),
        }),
      )
      .length(sourceCount),
    notices: z
      .array(
        z.strictObject({
          package: z.string().min(1).max(128),
          version: z.string().min(1).max(32).nullable(),
          license: z.literal('MIT'),
          text: z.string().min(1).max(16_384),
        }),
      )
      .min(1)
      .max(16),
  });

/** `GET /request-packer-reference.json`: the exact 40-source MIT closure with its notices, and both cases. */
export const packerReferenceSchema = z.strictObject({
  schemaVersion: z.literal(PACKER_REFERENCE_SCHEMA),
  ...inertParts,
  cases: z.strictObject({ zero: referenceFundingSchema, buy: referenceFundingSchema }),
  closure: sourceClosureSchema(40),
});
export type PackerReference = z.infer<typeof packerReferenceSchema>;

/** A published file with the digest of its bytes. */
export const builtFileSchema = z.strictObject({
  path: z.string().min(1).max(256),
  byteLength: z.number().int().positive(),
  sha256: sha256DigestSchema,
});

/** `GET /request-packer-build.json`: hashes of the published files, digests of their sources, and the build command. */
export const packerBuildSchema = z.strictObject({
  schemaVersion: z.literal(PACKER_BUILD_SCHEMA),
  packer: builtFileSchema,
  reference: builtFileSchema,
  referenceBuilder: builtFileSchema,
  client: builtFileSchema,
  inputs: z
    .array(z.strictObject({ path: z.string().min(1).max(512), sha256: sha256DigestSchema }))
    .min(1)
    .max(4096),
  provenance: z.strictObject({
    command: z.string().min(1).max(128),
    bundler: z.strictObject({ name: z.string(), version: z.string() }),
    target: z.string().min(1).max(32),
    compiler: z.strictObject({
      version: z.string(),
      standardJsonInputSha256: sha256DigestSchema,
      sourceCount: z.literal(40),
      license: z.literal('MIT'),
    }),
  }),
});
export type PackerBuild = z.infer<typeof packerBuildSchema>;
