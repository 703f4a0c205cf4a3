import type { Bytes32, Sha256Digest } from '../primitives/scalars.schema.js';
import type { BuildFailure, BuildFailureCode } from './build-profile.js';
import { MODULE_REVIEW_STATUS_SCHEMA } from './module-limits.js';
import { nextActionOf, nextReviewState, type ReviewState, type ReviewTrigger } from '../states/review-states.js';
import type { ModuleReviewStatus } from './review-status.schema.js';

/** One recorded step of a review; steps are ordered by revision, from 1. */
export interface ReviewStep {
  readonly trigger: ReviewTrigger;
  /** Number of attempts of the review after the step. */
  readonly attempt: number;
  /** RFC 3339 with milliseconds. */
  readonly at: string;
  readonly failure: BuildFailure | null;
  readonly build: NonNullable<ModuleReviewStatus['build']> | null;
  readonly decision: NonNullable<ModuleReviewStatus['decision']> | null;
}

/** The submission that is reviewed. */
export interface ReviewedSubmission {
  readonly submissionId: string;
  readonly packageId: Bytes32;
  readonly requestDigest: Sha256Digest;
  readonly createdAt: string;
}

/** Texts of failures for the author. The place follows the text; source never does. */
const MESSAGES: Readonly<Record<BuildFailureCode, string>> = {
  COMPILER_ERROR: 'the compiler refuses the sources',
  COMPILER_TIMEOUT: "a compilation takes longer than the plan's limit",
  COMPILER_OUT_OF_MEMORY: "a compilation takes more than the plan's limit",
  COMPILER_INPUT_INVALID: 'a source cannot be given to the compiler',
  PLAN_MISMATCH: 'the plan is not of this submission, or not of the reviewer policy of now',
  TARGET_MISSING: 'the sources have no such contract',
  NON_REPRODUCIBLE: 'two compilations gave unequal artifacts',
  MODULE_BUILD_PROFILE_CAPACITY_EXCEEDED: 'the package is larger than the build profile supports',
  JOB_ABANDONED: 'three builders were lost over this plan',
};
const MAX_MESSAGE = 512;

const messageOf = ({ code, place }: BuildFailure): string =>
  (place === '' ? MESSAGES[code] : `${MESSAGES[code]}: ${place}`).slice(0, MAX_MESSAGE);

/**
 * Computes the status that an author reads from the recorded steps only, so the same steps give the same document.
 * Error and build belong to the last plan; times belong to the last step of their kind.
 * @throws RangeError for a step that the state before it does not allow.
 */
export function reviewStatusOf(submission: ReviewedSubmission, steps: readonly ReviewStep[]): ModuleReviewStatus {
  let state: ReviewState = 'awaiting_plan';
  let lastError: ModuleReviewStatus['lastError'] = null;
  let build: ModuleReviewStatus['build'] = null;
  let decision: ModuleReviewStatus['decision'] = null;
  const times: Record<'queuedAt' | 'startedAt' | 'builtAt' | 'decidedAt', string | null> = {
    queuedAt: null,
    startedAt: null,
    builtAt: null,
    decidedAt: null,
  };
  for (const [index, step] of steps.entries()) {
    const next = nextReviewState(state, step.trigger);
    if (next === null) throw new RangeError(`step ${index + 1}: a review that is ${state} takes no ${step.trigger}`);
    state = next;
    if (state === 'queued') times.queuedAt = step.at;
    if (state === 'running') times.startedAt = step.at;
    if (state === 'built') times.builtAt = step.at;
    if (step.trigger === 'plan_attached') [lastError, build, times.startedAt, times.builtAt] = [null, null, null, null];
    if (step.failure !== null) lastError = { code: step.failure.code, message: messageOf(step.failure), at: step.at };
    if (step.build !== null) build = step.build;
    if (step.decision !== null) [decision, times.decidedAt] = [step.decision, step.at];
  }
  const last = steps.at(-1);
  return {
    schemaVersion: MODULE_REVIEW_STATUS_SCHEMA,
    submissionId: submission.submissionId,
    packageId: submission.packageId,
    requestDigest: submission.requestDigest,
    review: {
      state,
      revision: steps.length,
      attempt: last?.attempt ?? 0,
      nextAction: nextActionOf(state),
      createdAt: submission.createdAt,
      updatedAt: last?.at ?? submission.createdAt,
      ...times,
    },
    lastError,
    decision,
    buildEvidenceRecorded: build !== null,
    build,
    sourceRevisionVerified: false,
    runtimeVerified: false,
    approved: false,
    available: false,
  };
}
