import type { Sha256Digest } from '../primitives/scalars.schema.js';
import type { AttestationInput, SignedAttestation } from './module-build.types.js';

/** What the review can say of itself, without its builder. */
export interface ReviewStanding {
  readonly databaseReady: boolean;
  /** What is asked of whoever builds: only a builder of the same policy answers. */
  readonly question: AttestationInput;
}

/** What the gateway shows of the review until a minute has passed without another report. */
export interface ReviewReadinessReport {
  readonly databaseReady: boolean;
  /** A builder answered with the key that the policy names. */
  readonly workerAuthorityReady: boolean;
  readonly reviewerPolicyDigest: Sha256Digest | null;
  readonly workerSourceCommit: string | null;
}

/** Activities of `launch-module-review` that look at the review itself. */
export interface ReviewReadinessActivities {
  reviewStanding(): Promise<ReviewStanding>;
  /** Whether the policy's builder signed this answer to this question. */
  judgeBuilder(input: { readonly question: AttestationInput; readonly answer: SignedAttestation }): Promise<boolean>;
}

/** The gateway's part of it. */
export interface ReviewReadinessGatewayActivities {
  recordReviewReadiness(report: ReviewReadinessReport): Promise<void>;
}
