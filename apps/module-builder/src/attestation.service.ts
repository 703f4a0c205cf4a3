import type { BuilderAttestation } from '@launch/contracts/modules';
import type { AttestationInput, SignedAttestation } from '@launch/contracts/orchestration';
import type { Sha256Digest } from '@launch/contracts/primitives';
import { BuildError } from './build.error.js';
import type { BuilderParts } from './build-module.service.js';

/** Attests this builder's policy and key, and that it built the pinned sample. */
export interface Attestation {
  /** Checks that the sample gave the pinned bytes and the key is the policy's. @throws BuildError naming the fault. */
  check(): Promise<void>;
  attest(input: AttestationInput): Promise<SignedAttestation>;
}

/** @param sample the digest of the sample that this process built at its start. */
export function createAttestation(
  { policy, signer, sourceCommit }: Pick<BuilderParts, 'policy' | 'signer' | 'sourceCommit'>,
  sample: Promise<Sha256Digest>,
): Attestation {
  // The next caller gets the error; an unobserved start must not end the process.
  sample.catch(() => undefined);
  const check = async (): Promise<Sha256Digest> => {
    if (signer.publicKey !== policy.document.workerPublicKey) {
      throw new BuildError('BUILD_POLICY_MISMATCH', "this builder's key is not the policy's");
    }
    return sample;
  };
  return {
    check: async () => void (await check()),
    async attest({ reviewerPolicyDigest, nonce }) {
      if (reviewerPolicyDigest !== policy.digest) {
        throw new BuildError('BUILD_POLICY_MISMATCH', `this builder has policy ${policy.digest}`);
      }
      const document: BuilderAttestation = {
        schemaVersion: 'service.modules.builder-attestation.v1',
        reviewerPolicyDigest,
        nonce,
        workerSourceCommit: sourceCommit,
        workerPublicKey: signer.publicKey,
        sampleSha256: await check(),
      };
      const { workerSourceCommit, workerPublicKey, sampleSha256 } = document;
      return { workerSourceCommit, workerPublicKey, sampleSha256, signature: signer.sign(document) };
    },
  };
}
