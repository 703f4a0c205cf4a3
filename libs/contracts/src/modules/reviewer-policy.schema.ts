import { z } from 'zod';
import { CHAIN_ID } from '../primitives/limits.js';
import { addressSchema } from '../primitives/scalars.schema.js';
import { buildLimitsSchema, compilerVersionSchema } from './build-plan.schema.js';
import { NATIVE_SOLIDITY_PROFILE } from './build-profile.js';

/** `ed25519:` and the 32 bytes of a public key in hex. */
export const ed25519KeySchema = z.string().regex(/^ed25519:[0-9a-f]{64}$/, 'ed25519: followed by 64 hex digits');

/** An Ed25519 signature, 64 bytes in lowercase hex. */
export const ed25519SignatureSchema = z.string().regex(/^[0-9a-f]{128}$/, '128 lowercase hex digits');

/**
 * The reviewers, the builder and the allowed compilers. A policy is identified by the SHA-256 of its canonical JSON,
 * which plans, build results and decisions name. It is never edited, only replaced by a new policy.
 */
export const reviewerPolicySchema = z.strictObject({
  schemaVersion: z.literal('service.modules.reviewer-policy.v1'),
  chainId: z.literal(CHAIN_ID),
  reviewers: z.array(addressSchema).min(1).max(64),
  /** The public half of the builder's key. */
  workerPublicKey: ed25519KeySchema,
  buildProfiles: z.array(z.literal(NATIVE_SOLIDITY_PROFILE)).min(1).max(1),
  compilerVersions: z.array(compilerVersionSchema).min(1).max(16),
  /** The highest bounds that a plan may request. */
  limits: buildLimitsSchema,
});
export type ReviewerPolicy = z.output<typeof reviewerPolicySchema>;
