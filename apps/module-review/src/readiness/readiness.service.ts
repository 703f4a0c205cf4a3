import { randomBytes } from 'node:crypto';
import type { BuilderAttestation } from '@launch/contracts/modules';
import type { ReviewReadinessActivities } from '@launch/contracts/orchestration';
import { verifyBuilderSignature } from '@launch/evm';
import type { Logger } from '@launch/platform';
import type { ReviewParts } from '../review.service.js';

export interface ReadinessParts extends Pick<ReviewParts, 'policy'> {
  /** Rejects while the database does not answer. */
  readonly askDatabase: () => Promise<unknown>;
  readonly logger: Logger;
}

/** Reports whether reviews are possible (docs/reference/modules.md#review-readiness). */
export const createReadinessService = ({ policy, askDatabase, logger }: ReadinessParts): ReviewReadinessActivities => ({
  async reviewSelfCheck() {
    const databaseReady = await askDatabase().then(
      () => true,
      (error: unknown) => {
        logger.warn({ err: error }, "the review's database does not answer");
        return false;
      },
    );
    return {
      databaseReady,
      question: { reviewerPolicyDigest: policy.digest, nonce: `0x${randomBytes(32).toString('hex')}` },
    };
  },
  async judgeBuilder({ question, answer: { signature, ...answer } }) {
    const document: BuilderAttestation = {
      schemaVersion: 'service.modules.builder-attestation.v1',
      ...question,
      ...answer,
    };
    const isOfPolicy = question.reviewerPolicyDigest === policy.digest;
    return isOfPolicy && verifyBuilderSignature(document, signature, policy);
  },
});
