import { z } from 'zod';
import {
  addressSchema,
  bytes32Schema,
  decimalSchema,
  slugSchema,
  sourceCommitSchema,
} from '../primitives/scalars.schema.js';

/** Parts of the published contexts of all families. */

/** A deployed contract pinned by the hash of its runtime code. */
export const pinnedContractSchema = z.strictObject({ address: addressSchema, runtimeCodeHash: bytes32Schema });

/** An instruction policy as published; `policyHash` is the keccak of the document's canonical JSON. */
export const instructionPolicySchema = z.strictObject({
  id: z.string().min(1).max(128),
  policyHash: bytes32Schema,
  document: z.record(z.string(), z.unknown()),
});

/** The commit that a deployment runs, if the deployment reports it. */
export const runtimeReleaseSchema = z.strictObject({
  schemaVersion: z.literal('service.multi-role-runtime-release-instance.v2'),
  sourceCommit: sourceCommitSchema,
  sourceTree: z.string().regex(/^[0-9a-f]{40}$/),
});

/** Versions of solc that sources may request. */
export const compilerVersionsSchema = z
  .array(z.string().regex(/^0\.\d+\.\d+$/))
  .min(1)
  .max(16);

/** Economic recipes, each pinned by the hash of its reviewed templates. */
export const publishedRecipesSchema = z
  .array(z.strictObject({ id: slugSchema, version: slugSchema, templateSetHash: bytes32Schema }))
  .max(16);

/** Limits of a request, in bytes and seconds. */
export const contextLimitsSchema = z.strictObject({
  requestBytes: z.number().int().positive(),
  initCodeBytes: z.number().int().positive(),
  runtimeCodeBytes: z.number().int().positive(),
  transactionBytes: z.number().int().positive(),
  permitWindowSeconds: z.number().int().positive(),
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

export const contextCommitmentsSchema = z.strictObject({
  contextHash: bytes32Schema,
  profileHash: bytes32Schema,
  chainDeploymentHash: bytes32Schema,
  providerProfileHash: bytes32Schema,
  chainBindingsHash: bytes32Schema,
  instructionPolicyHash: bytes32Schema,
});
