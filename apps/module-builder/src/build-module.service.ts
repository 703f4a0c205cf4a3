import type { BuildResult } from '@launch/contracts/modules';
import type { BuildInput, BuildVerdict } from '@launch/contracts/orchestration';
import { failpoint } from '@launch/platform';
import type { BuildSigner } from './build.signer.js';
import type { BuildEvidence, EvidenceParts } from './build-evidence.service.js';

export interface BuilderParts extends EvidenceParts {
  readonly signer: BuildSigner;
}

export type BuildModule = (input: BuildInput, signal: AbortSignal) => Promise<BuildVerdict>;

/**
 * Builds a plan and signs the result. A fault of the module or the plan is a verdict.
 * @param evidence builds; it has no key.
 * @throws BuildError, BlobError, CompilerError: no verdict.
 */
export function createBuildModule(
  { policy, signer }: Pick<BuilderParts, 'policy' | 'signer'>,
  evidence: BuildEvidence,
): BuildModule {
  return async (input, signal) => {
    failpoint('module-build.compiling', 300);
    const outcome = await evidence(input, signal);
    if (outcome.status === 'failed') return outcome;
    failpoint('module-build.stored');
    const { status, submissionDigest, ...digests } = outcome;
    const { submissionId, planSha256, attempt } = input;
    const result: BuildResult = {
      schemaVersion: 'service.modules.build-result.v1',
      submissionId,
      submissionDigest,
      planSha256,
      attempt,
      reviewerPolicyDigest: policy.digest,
      ...digests,
    };
    return { status, ...digests, signature: signer.sign(result) };
  };
}
