import type { DecisionOutcome } from '../modules/review-status.schema.js';
import type { BuildFailure } from '../modules/build-profile.js';
import type { ReviewState, ReviewTrigger } from '../states/review-states.js';
import type { Hex, Sha256Digest } from '../primitives/scalars.schema.js';
import type { AttestationInput, BuildInput, BuildVerdict } from './module-build.types.js';

/** Updates of reviewers to a review; their validators reject a revision that is not the current one. */
export const REVIEW_UPDATES = { attachPlan: 'attachPlan', decide: 'decide', requeue: 'requeue' } as const;

/** Codes that reject an update before anything is written. */
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

/** State that a run of a review passes to the next; everything else is in the database. */
export interface ReviewResume {
  /** Whether an operator holds it. */
  readonly held: boolean;
}

/** A review as the database stores it. */
export interface ReviewRecord {
  readonly state: ReviewState;
  readonly revision: number;
  readonly attempt: number;
  /** Number of builders that were lost with the current plan. */
  readonly losses: number;
  readonly planSha256: Sha256Digest | null;
  /** Blob of the findings of that plan's build; null before it is built. */
  readonly findingsSha256: Sha256Digest | null;
  /** Blob of the status for the author. */
  readonly statusSha256: Sha256Digest;
}

/** One transition from a given revision. A repeated move returns the state that it led to. */
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

/** The outcome of an update: the current review, or the reason why nothing changed. */
export type ReviewAnswer =
  | { readonly kind: 'moved'; readonly state: ReviewState; readonly revision: number }
  | { readonly kind: 'refused'; readonly code: string; readonly place: string };

/** The build to run, and the question that shows whether a builder of the policy is available. */
export interface PreparedBuild {
  readonly input: BuildInput;
  readonly question: AttestationInput;
}

/** A builder's result and the build that it answers. */
export interface BuiltAttempt {
  readonly submissionId: string;
  readonly planSha256: Sha256Digest;
  readonly attempt: number;
  readonly build: Extract<BuildVerdict, { status: 'built' }>;
}

/** The activities of `launch-module-review`. */
export interface ModuleReviewActivities {
  /** Creates the row of the review, or returns the existing one. */
  openReview(subject: ReviewSubject): Promise<ReviewRecord>;
  /** Returns null if the plan may be built. */
  judgePlan(input: { readonly submissionId: string; readonly planSha256: Sha256Digest }): Promise<BuildFailure | null>;
  /** Returns the code that refuses a decision, or null if it is valid and its signature covers this outcome. */
  judgeDecision(input: {
    readonly submissionId: string;
    readonly revision: number;
    readonly outcome: DecisionOutcome;
    readonly decisionSha256: Sha256Digest;
  }): Promise<string | null>;
  /** Returns the build for the builder. The review chooses the earlier builds to compare it with. */
  prepareBuild(input: {
    readonly submissionId: string;
    readonly planSha256: Sha256Digest;
    readonly attempt: number;
  }): Promise<PreparedBuild>;
  /** Returns whether the policy's builder signed this result for this attempt at this plan. */
  checkBuild(input: BuiltAttempt): Promise<boolean>;
  /** Records no result that `checkBuild` rejects, and no decision with another outcome. */
  moveReview(move: ReviewMove): Promise<ReviewRecord>;
}

/** The gateway's view of a review. */
export interface ModuleGatewayActivities {
  recordReview(input: {
    readonly submissionId: string;
    readonly revision: number;
    readonly statusSha256: Sha256Digest;
    /** For the reviewer: the last attached plan and the findings of its build. */
    readonly planSha256: Sha256Digest | null;
    readonly findingsSha256: Sha256Digest | null;
  }): Promise<void>;
}
