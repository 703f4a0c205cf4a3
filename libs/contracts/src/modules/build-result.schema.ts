import { z } from 'zod';
import { bytes32Schema, sha256DigestSchema, sourceCommitSchema, uuidSchema } from '../primitives/scalars.schema.js';
import { ed25519KeySchema } from './reviewer-policy.schema.js';

/** A builder's statement about one attempt; its canonical JSON is the signed message. */
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

/** A builder's signed statement about itself: it compiled the pinned sample and answers this question now. */
export const builderAttestationSchema = z.strictObject({
  schemaVersion: z.literal('service.modules.builder-attestation.v1'),
  reviewerPolicyDigest: sha256DigestSchema,
  /** A nonce of the caller, which binds the answer to this question. */
  nonce: bytes32Schema,
  workerSourceCommit: sourceCommitSchema,
  workerPublicKey: ed25519KeySchema,
  /** Digest of the artifact of the pinned sample. */
  sampleSha256: sha256DigestSchema,
});
export type BuilderAttestation = z.output<typeof builderAttestationSchema>;
