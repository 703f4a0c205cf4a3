import type { Sha256Digest } from '../primitives/scalars.schema.js';
import type { AttestationInput, SignedAttestation } from './module-build.types.js';

/** The part of the review's readiness that does not need its builder. */
export interface ReviewSelfCheck {
  readonly databaseReady: boolean;
  /** The question for builders; only a builder of the same policy answers it. */
  readonly question: AttestationInput;
}

/** The review's readiness. The gateway shows it until a minute has passed without another report. */
export interface ReviewReadinessReport {
  readonly databaseReady: boolean;
  /** A builder answered with the key that the policy names. */
  readonly workerAuthorityReady: boolean;
  readonly reviewerPolicyDigest: Sha256Digest | null;
  /** Null while no builder of the policy answers. */
  readonly workerSourceCommit: string | null;
}

/** Activities of `launch-module-review` that check the review itself. */
export interface ReviewReadinessActivities {
  reviewSelfCheck(): Promise<ReviewSelfCheck>;
  /** Returns whether the policy's builder signed this answer to this question. */
  judgeBuilder(input: { readonly question: AttestationInput; readonly answer: SignedAttestation }): Promise<boolean>;
}

/** Activities of the gateway that record the review's readiness. */
export interface ReviewReadinessGatewayActivities {
  recordReviewReadiness(report: ReviewReadinessReport): Promise<void>;
}
