import { z } from 'zod';
import {
  chainBindingsSchema,
  chainDeploymentSchema,
  compilerVersionsSchema,
  contextCommitmentsSchema,
  contextLimitsSchema,
  instructionPolicySchema,
  providerProfileSchema,
  publishedRecipesSchema,
  runtimeReleaseSchema,
} from '../launch/context-parts.schema.js';
import { CAIP2, CHAIN_DEPLOYMENT_ID } from '../primitives/limits.js';
import { MULTI_ROLE_ROUTE_ID, ROUTER_PROTOCOL } from './routes.js';
import { sha256DigestSchema } from '../primitives/scalars.schema.js';

export const profileSchema = z.strictObject({
  schemaVersion: z.literal('service.multi-role-launch-profile.v2'),
  profileId: z.string().min(1).max(128),
  instructionPolicy: instructionPolicySchema,
  derivedContractFinality: z.string().min(1).max(128).optional(),
  runtimeRelease: runtimeReleaseSchema.optional(),
  compilerVersions: compilerVersionsSchema,
  recipes: publishedRecipesSchema,
  limits: contextLimitsSchema,
});

/**
 * The complete release that a request binds itself to. Capabilities publish it, and a request repeats it unchanged and
 * cannot select a part of it (docs/reference/requests-and-hashes.md#context).
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

const fileDescriptorSchema = z.strictObject({
  path: z.string(),
  mediaType: z.string(),
  contentSha256: sha256DigestSchema,
});

/**
 * Published files of a deployment, by name. A client checks the digest of each download against its descriptor
 * (docs/reference/api-conventions.md#published-files). A missing file has no entry.
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
  /** Present if everything that the packer needs is published. */
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
    /** Optional, because saved documents may not have these two. */
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
    /** Optional, because saved documents may not have it. */
    limits: z
      .strictObject({
        compileBudgetSeconds: z
          .number()
          .int()
          .positive()
          .describe('Processor time, in seconds, that all compilation units of a request share.'),
      })
      .optional(),
    runtimeInstructionPolicy: instructionPolicySchema.nullable(),
  })
  .meta({ id: 'Capabilities' });
export type Capabilities = z.infer<typeof capabilitiesSchema>;
