import type { DecisionOutcome } from '../modules/review-status.schema.js';
import type { BuildFailure } from '../modules/build-profile.js';
import type { ReviewState, ReviewTrigger } from '../states/review-states.js';
import type { Hex, Sha256Digest } from '../primitives/scalars.schema.js';
import type { AttestationInput, BuildInput, BuildVerdict } from './module-build.types.js';

/** Updates by which reviewers act on a review; their validators refuse a revision that is not the current one. */
export const REVIEW_UPDATES = { attachPlan: 'attachPlan', decide: 'decide', requeue: 'requeue' } as const;

/** Codes that an update is refused with before anything is written. */
export const REVIEW_REJECTIONS = {
  stale: 'REVISION_STALE',
  state: 'REVIEW_STATE_INVALID',
  input: 'REVIEW_UPDATE_INVALID',
} as const;

/** A submission whose review begins. */
export interface ReviewSubject {
  readonly submissionId: string;
  readonly requestDigest: Sha256Digest;
  readonly packageId: Hex;
  readonly author: Hex;
  readonly supersedes: string | null;
  /** RFC 3339. */
  readonly createdAt: string;
}

/** What a run of a review hands on to the next: nothing else stands outside the database. */
export interface ReviewResume {
  /** Whether an operator holds it. */
  readonly held: boolean;
}

/** A review as its database has it. */
export interface ReviewRecord {
  readonly state: ReviewState;
  readonly revision: number;
  readonly attempt: number;
  /** Builders that were lost over the plan that it is at. */
  readonly losses: number;
  readonly planSha256: Sha256Digest | null;
  /** Blob of what the build of that plan found; null before it is built. */
  readonly findingsSha256: Sha256Digest | null;
  /** Blob of the status that the author reads. */
  readonly statusSha256: Sha256Digest;
}

/** One transition, compared with the revision that it leaves. The same move again is answered with what it led to. */
export interface ReviewMove {
  readonly submissionId: string;
  readonly revision: number;
  readonly trigger: ReviewTrigger;
  readonly attempt: number;
  readonly planSha256: Sha256Digest | null;
  readonly failure: BuildFailure | null;
  readonly build: Extract<BuildVerdict, { status: 'built' }> | null;
  readonly decisionSha256: Sha256Digest | null;
}

export interface PlanUpdate {
  readonly revision: number;
  /** Blob of the plan's canonical JSON. */
  readonly planSha256: Sha256Digest;
}

export interface DecisionUpdate {
  readonly revision: number;
  readonly outcome: DecisionOutcome;
  /** Blob of the signed decision's canonical JSON. */
  readonly decisionSha256: Sha256Digest;
}

/** What an update came to: the review as it is now, or why nothing moved. */
export type ReviewAnswer =
  | { readonly kind: 'moved'; readonly state: ReviewState; readonly revision: number }
  | { readonly kind: 'refused'; readonly code: string; readonly place: string };

/** What the builder is asked to build, and the question that tells whether one of the policy is there. */
export interface PreparedBuild {
  readonly input: BuildInput;
  readonly question: AttestationInput;
}

/** A result as a builder answered it, and what it was asked. */
export interface BuiltAttempt {
  readonly submissionId: string;
  readonly planSha256: Sha256Digest;
  readonly attempt: number;
  readonly build: Extract<BuildVerdict, { status: 'built' }>;
}

/** The activities of `launch-module-review`. */
export interface ModuleReviewActivities {
  /** Makes the review's row, or answers the one that is there. */
  openReview(subject: ReviewSubject): Promise<ReviewRecord>;
  /** Null: it may be built. */
  judgePlan(input: { readonly submissionId: string; readonly planSha256: Sha256Digest }): Promise<BuildFailure | null>;
  /** The code that a decision is refused with; null: it counts, and its signature says this outcome. */
  judgeDecision(input: {
    readonly submissionId: string;
    readonly revision: number;
    readonly outcome: DecisionOutcome;
    readonly decisionSha256: Sha256Digest;
  }): Promise<string | null>;
  /** What the builder is asked; the builds that this one is compared with are the review's to choose. */
  prepareBuild(input: {
    readonly submissionId: string;
    readonly planSha256: Sha256Digest;
    readonly attempt: number;
  }): Promise<PreparedBuild>;
  /** Whether the policy's builder signed this result, for this attempt at this plan. */
  checkBuild(input: BuiltAttempt): Promise<boolean>;
  /** A result that `checkBuild` does not answer for is not recorded, nor a decision that says another outcome. */
  moveReview(move: ReviewMove): Promise<ReviewRecord>;
}

/** What the gateway shows of a review. */
export interface ModuleGatewayActivities {
  recordReview(input: {
    readonly submissionId: string;
    readonly revision: number;
    readonly statusSha256: Sha256Digest;
    /** For the reviewer: the plan that was attached last, and what its build found. */
    readonly planSha256: Sha256Digest | null;
    readonly findingsSha256: Sha256Digest | null;
  }): Promise<void>;
}
