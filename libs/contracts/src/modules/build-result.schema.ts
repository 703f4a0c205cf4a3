import { z } from 'zod';
import { bytes32Schema, sha256DigestSchema, uuidSchema } from '../primitives/scalars.schema.js';
import { ed25519KeySchema } from './reviewer-policy.schema.js';

/** What a builder signs about one attempt: the canonical JSON of this is the signed message. */
export const buildResultSchema = z.strictObject({
  schemaVersion: z.literal('service.modules.build-result.v1'),
  submissionId: uuidSchema,
  submissionDigest: sha256DigestSchema,
  planSha256: sha256DigestSchema,
  attempt: z.number().int().positive(),
  reviewerPolicyDigest: sha256DigestSchema,
  artifactSha256: sha256DigestSchema,
  hostManifestSha256: sha256DigestSchema,
  toolchainSha256: sha256DigestSchema,
  logsSha256: sha256DigestSchema,
  findingsSha256: sha256DigestSchema,
});
export type BuildResult = z.output<typeof buildResultSchema>;

/** What a builder signs about itself: it compiled the pinned sample, and answers this question now. */
export const builderAttestationSchema = z.strictObject({
  schemaVersion: z.literal('service.modules.builder-attestation.v1'),
  reviewerPolicyDigest: sha256DigestSchema,
  /** The asker's, so that an answer is of this question alone. */
  nonce: bytes32Schema,
  workerSourceCommit: z.string().max(64).nullable(),
  workerPublicKey: ed25519KeySchema,
  /** Of the artifact that the pinned sample gave. */
  sampleSha256: sha256DigestSchema,
});
export type BuilderAttestation = z.output<typeof builderAttestationSchema>;
