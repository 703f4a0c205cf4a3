import type { BuildFailureCode } from '../modules/build-profile.js';
import type { Hex, Sha256Digest } from '../primitives/scalars.schema.js';

/** One attempt to build a plan. */
export interface BuildInput {
  readonly submissionId: string;
  /** Blob of the plan's canonical JSON. */
  readonly planSha256: Sha256Digest;
  /** Number of the review's attempt, from 1. */
  readonly attempt: number;
  /** Findings of earlier modules, newest first, to compare this module with. */
  readonly earlier: readonly { readonly submissionId: string; readonly findingsSha256: Sha256Digest }[];
}

/** The outcome of a build. The digests name blobs; the signature is the builder's over the result document. */
export type BuildVerdict =
  | {
      readonly status: 'built';
      readonly artifactSha256: Sha256Digest;
      readonly hostManifestSha256: Sha256Digest;
      readonly toolchainSha256: Sha256Digest;
      readonly logsSha256: Sha256Digest;
      readonly findingsSha256: Sha256Digest;
      readonly signature: string;
    }
  | { readonly status: 'failed'; readonly code: BuildFailureCode; readonly place: string };

/** A question that only a builder of that policy can answer. */
export interface AttestationInput {
  readonly reviewerPolicyDigest: Sha256Digest;
  readonly nonce: Hex;
}

/** The answer. The signature covers the attestation document made of the question and these members. */
export interface SignedAttestation {
  readonly workerSourceCommit: string;
  readonly workerPublicKey: string;
  readonly sampleSha256: Sha256Digest;
  readonly signature: string;
}

/** The activities of `launch-module-build`, whose worker has no database. */
export interface ModuleBuildActivities {
  buildModule(input: BuildInput): Promise<BuildVerdict>;
  attestBuilder(input: AttestationInput): Promise<SignedAttestation>;
}
