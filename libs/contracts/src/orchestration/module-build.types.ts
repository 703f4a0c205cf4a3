import type { BuildFailureCode } from '../modules/build-profile.js';
import type { Hex, Sha256Digest } from '../primitives/scalars.schema.js';

/** One attempt to build a plan. */
export interface BuildInput {
  readonly submissionId: string;
  /** Blob of the plan's canonical JSON. */
  readonly planSha256: Sha256Digest;
  /** The review's count of attempts, from 1. */
  readonly attempt: number;
  /** Findings of earlier modules, newest first, which this one is compared with. */
  readonly earlier: readonly { readonly submissionId: string; readonly findingsSha256: Sha256Digest }[];
}

/** What became of it. The digests are of blobs; the signature is the builder's over the result document. */
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

/** A question that only a builder of that policy answers. */
export interface AttestationInput {
  readonly reviewerPolicyDigest: Sha256Digest;
  readonly nonce: Hex;
}

/** The answer; the signature is over the attestation document that these make with the question. */
export interface SignedAttestation {
  readonly workerSourceCommit: string | null;
  readonly workerPublicKey: string;
  readonly sampleSha256: Sha256Digest;
  readonly signature: string;
}

/** The activities of `launch-module-build`, whose worker has no database. */
export interface ModuleBuildActivities {
  buildModule(input: BuildInput): Promise<BuildVerdict>;
  attestBuilder(input: AttestationInput): Promise<SignedAttestation>;
}
