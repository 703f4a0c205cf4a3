import { z } from 'zod';
import {
  addressSchema,
  bytes32Schema,
  decimalSchema,
  sha256DigestSchema,
  slugSchema,
} from '../primitives/scalars.schema.js';
import { CAIP2, CHAIN_DEPLOYMENT_ID, MULTI_ROLE_ROUTE_ID, ROUTER_PROTOCOL } from '../primitives/limits.js';

/** A deployed contract pinned by the hash of its runtime code. */
export const pinnedContractSchema = z.strictObject({ address: addressSchema, runtimeCodeHash: bytes32Schema });

/** An instruction policy as published; `policyHash` is the keccak of the document's canonical JSON. */
export const instructionPolicySchema = z.strictObject({
  id: z.string().min(1).max(128),
  policyHash: bytes32Schema,
  document: z.record(z.string(), z.unknown()),
});

export const profileSchema = z.strictObject({
  schemaVersion: z.literal('service.multi-role-launch-profile.v2'),
  profileId: z.string().min(1).max(128),
  instructionPolicy: instructionPolicySchema,
  derivedContractFinality: z.string().min(1).max(128).optional(),
  runtimeRelease: z
    .strictObject({
      schemaVersion: z.literal('service.multi-role-runtime-release-instance.v2'),
      sourceCommit: z.string().regex(/^[0-9a-f]{40}$/),
      sourceTree: z.string().regex(/^[0-9a-f]{40}$/),
    })
    .optional(),
  compilerVersions: z
    .array(z.string().regex(/^0\.\d+\.\d+$/))
    .min(1)
    .max(16),
  recipes: z.array(z.strictObject({ id: slugSchema, version: slugSchema, templateSetHash: bytes32Schema })).max(16),
  limits: z.strictObject({
    requestBytes: z.number().int().positive(),
    initCodeBytes: z.number().int().positive(),
    runtimeCodeBytes: z.number().int().positive(),
    transactionBytes: z.number().int().positive(),
    permitWindowSeconds: z.number().int().positive(),
  }),
});

const observerSchema = z.strictObject({ id: slugSchema, originCommitment: bytes32Schema });

export const chainDeploymentSchema = z.strictObject({
  router: pinnedContractSchema,
  poolManager: pinnedContractSchema,
  sequencerInbox: addressSchema,
  bridge: addressSchema,
  nodeInterface: addressSchema,
  genesisBlock: decimalSchema,
});

export const providerProfileSchema = z.strictObject({
  l2Observers: z.array(observerSchema).length(2),
  l1Observers: z.array(observerSchema).length(2),
  finalityPolicyId: z.string().min(1).max(128),
});

export const chainBindingsSchema = z.strictObject({
  router: addressSchema,
  poolManager: addressSchema,
  platformFeeRecipient: addressSchema,
  permitAuthorities: z.array(addressSchema).min(1).max(8),
});

/**
 * The complete release a request binds itself to; published by capabilities and
 * carried unchanged (spec 2, Capabilities). A request can select none of it.
 */
export const contextSchema = z
  .strictObject({
    chainId: z.literal('4663'),
    caip2: z.literal(CAIP2),
    chainDeploymentId: z.literal(CHAIN_DEPLOYMENT_ID),
    profile: profileSchema,
    chainDeployment: chainDeploymentSchema,
    providerProfile: providerProfileSchema,
    chainBindings: chainBindingsSchema,
  })
  .meta({ id: 'Context' });
export type LaunchContext = z.infer<typeof contextSchema>;

export const contextCommitmentsSchema = z.strictObject({
  contextHash: bytes32Schema,
  profileHash: bytes32Schema,
  chainDeploymentHash: bytes32Schema,
  providerProfileHash: bytes32Schema,
  chainBindingsHash: bytes32Schema,
  instructionPolicyHash: bytes32Schema,
});
export type ContextCommitments = z.infer<typeof contextCommitmentsSchema>;

const fileDescriptorSchema = z.strictObject({
  path: z.string(),
  mediaType: z.string(),
  contentSha256: sha256DigestSchema,
});

/**
 * What a deployment publishes, by name: the digest of each download is checked against its descriptor (spec 2,
 * Versioning). A file the deployment does not have has no entry.
 */
export const documentationSchema = z.strictObject({
  guide: fileDescriptorSchema.optional(),
  client: fileDescriptorSchema.optional(),
  packer: fileDescriptorSchema.optional(),
  reference: fileDescriptorSchema.optional(),
  buildManifest: fileDescriptorSchema.optional(),
  referenceBuilder: fileDescriptorSchema.optional(),
  inventoryBuilder: fileDescriptorSchema.optional(),
  inventoryProjects: fileDescriptorSchema.optional(),
  inventoryBuildManifest: fileDescriptorSchema.optional(),
  openapi: fileDescriptorSchema.optional(),
  /** Present when everything that packing a request takes is published. */
  requestPackaging: z
    .strictObject({
      status: z.literal('published'),
      packer: fileDescriptorSchema,
      reference: fileDescriptorSchema,
      buildManifest: fileDescriptorSchema,
    })
    .optional(),
});

/** `GET /capabilities`: public; 200 with `context: null` when the deployment is not registered. */
export const capabilitiesSchema = z
  .strictObject({
    schemaVersion: z.literal('service.multi-role-launch-capabilities.v2'),
    /** These two are absent from documents that were saved before the service named them. */
    routeId: z.literal(MULTI_ROLE_ROUTE_ID).optional(),
    routerProtocol: z.literal(ROUTER_PROTOCOL).optional(),
    context: contextSchema.nullable(),
    contextCommitments: contextCommitmentsSchema.nullable(),
    routes: z.strictObject({
      capabilities: z.string(),
      preflight: z.string(),
      create: z.string(),
      list: z.string(),
      launch: z.string(),
      transactionHints: z.string(),
      finality: z.string(),
      finalized: z.string(),
      finalizedLaunch: z.string(),
      finalizedImage: z.string(),
      finalityDiscovery: z.string().optional(),
    }),
    readiness: z.strictObject({
      status: z.enum(['ready', 'unavailable']),
      reasonCodes: z.array(z.string()).max(16),
      checkedAt: z.string(),
    }),
    documentation: documentationSchema,
    runtimeInstructionPolicy: instructionPolicySchema.nullable(),
  })
  .meta({ id: 'Capabilities' });
export type Capabilities = z.infer<typeof capabilitiesSchema>;
