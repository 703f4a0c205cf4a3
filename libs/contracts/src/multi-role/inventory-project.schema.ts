import { z } from 'zod';
import {
  addressSchema,
  base64Schema,
  bytes32Schema,
  sha256DigestSchema,
  slugSchema,
  sourcePathSchema,
  uint256Schema,
} from '../primitives/scalars.schema.js';
import { LIMITS } from '../primitives/limits.js';
import { contextSchema } from './context.schema.js';
import {
  inventoryChoices,
  inventoryParametersSchema,
  withInventoryRules,
} from '../launch/inventory-parameters.schema.js';
import { permitWindowSchema } from '../launch/permit-window.schema.js';
import { packReportSchema } from './pack-config.schema.js';
import { builtFileSchema, sourceClosureSchema } from './packer-reference.schema.js';
import { projectMetadataSchema } from '../launch/source.schema.js';

/** The inventory model's project input and its builder's outputs (docs/reference/economics.md#project-input). */
export const INVENTORY_PROJECT_INPUT_SCHEMA = 'service.inventory-project-input.v3';
export const INVENTORY_PROJECTS_SCHEMA = 'service.inventory-projects.v3';
export const INVENTORY_BUILD_SCHEMA = 'service.inventory-builder-build.v3';

/** `atlas`: no purchase. `cedar`: an atomic purchase in the launch itself. */
export const INVENTORY_CASES = ['atlas', 'cedar'] as const;
export type InventoryCase = (typeof INVENTORY_CASES)[number];

/** Sources of the compiler input that the builder carries. */
const CLOSURE_SOURCES = 30;

const { name, symbol, description, links } = projectMetadataSchema.shape;

const project = {
  schemaVersion: z.literal(INVENTORY_PROJECT_INPUT_SCHEMA),
  /** Type, size and digest are computed from the image's bytes. */
  project: z.strictObject({
    name,
    symbol,
    description,
    links,
    image: z.strictObject({ path: sourcePathSchema, base64: base64Schema(LIMITS.requestBytes) }),
  }),
  /** The request commits to it with the lineage nonce and does not publish it. */
  publicOrigin: z.string().min(1).max(512),
  maxGasCostWei: uint256Schema,
};

/** Input of `inventory-builder.mjs`: closed, every field required, formatted JSON allowed. */
export const inventoryProjectInputSchema = z.strictObject({
  ...project,
  context: contextSchema,
  launchWallet: addressSchema,
  nonce: uint256Schema,
  permitWindow: permitWindowSchema,
  parameters: inventoryParametersSchema,
});
export type InventoryProjectInput = z.infer<typeof inventoryProjectInputSchema>;

/** The input with `null` for every live value; the builder refuses it until a launcher fills these in. */
export const inertInventoryInputSchema = z.strictObject({
  ...project,
  context: z.null(),
  launchWallet: z.null(),
  nonce: z.null(),
  permitWindow: z.null(),
  parameters: withInventoryRules(z.strictObject({ ...inventoryChoices, creatorRecipient: z.null() })),
});
export type InertInventoryInput = z.infer<typeof inertInventoryInputSchema>;

/**
 * `GET /inventory-projects.json`: two inert inputs, and a description of the sources that every launch from them
 * submits.
 */
export const inventoryProjectsSchema = z.strictObject({
  schemaVersion: z.literal(INVENTORY_PROJECTS_SCHEMA),
  recipe: z.strictObject({ id: slugSchema, version: slugSchema }),
  compiler: z.strictObject({ version: z.string().min(1).max(32), standardJsonInputSha256: sha256DigestSchema }),
  cases: z.strictObject({ atlas: inertInventoryInputSchema, cedar: inertInventoryInputSchema }),
  closure: sourceClosureSchema(CLOSURE_SOURCES),
});
export type InventoryProjects = z.infer<typeof inventoryProjectsSchema>;

/** Output of the builder: the packer's report of the request, and the predictions of that request. */
export const inventoryReportSchema = packReportSchema.extend({
  predictedAddresses: z.strictObject({
    initializer: addressSchema,
    token: addressSchema,
    hook: addressSchema,
    feeVault: addressSchema,
  }),
  poolId: bytes32Schema,
  onchainLaunchId: bytes32Schema,
  /** The server derives the same values from the code. The price is Q64.96; amounts are raw token units. */
  position: z.strictObject({
    sqrtPriceX96: uint256Schema,
    liquidity: uint256Schema,
    settledRaw: uint256Schema,
    residueRaw: uint256Schema,
  }),
  miningAttempts: z.number().int().positive(),
});
export type InventoryReport = z.infer<typeof inventoryReportSchema>;

/** `GET /inventory-build.json`: hashes of the published files, digests of their sources, and the build command. */
export const inventoryBuildSchema = z.strictObject({
  schemaVersion: z.literal(INVENTORY_BUILD_SCHEMA),
  builder: builtFileSchema,
  projects: builtFileSchema,
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
      sourceCount: z.literal(CLOSURE_SOURCES),
      license: z.literal('MIT'),
    }),
  }),
});
export type InventoryBuild = z.infer<typeof inventoryBuildSchema>;
