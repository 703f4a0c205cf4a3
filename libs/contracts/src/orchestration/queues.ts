/**
 * One task queue per service: a workflow calls activities on the queue of the service that owns the step. Admission has
 * two more queues, so that compilations wait only for each other and short ones do not wait for long ones.
 */
export const TASK_QUEUES = {
  admission: 'launch-admission',
  compilation: 'launch-compilation',
  longCompilation: 'launch-long-compilation',
  gateway: 'launch-gateway',
  /** In the namespace of custody: the target of its endpoint. */
  custody: 'launch-custody',
  finality: 'launch-finality',
  indexer: 'launch-indexer',
  moduleBuild: 'launch-module-build',
  moduleReview: 'launch-module-review',
} as const;

export const WORKFLOW_TYPES = {
  admitLaunch: 'admitLaunch',
  evaluateSource: 'evaluateSource',
  observeLaunch: 'observeLaunch',
  recoverLaunches: 'recoverLaunches',
  runPlan: 'runPlan',
  reviewSubmission: 'reviewSubmission',
  reportReviewReadiness: 'reportReviewReadiness',
  indexSource: 'indexSource',
  publishEthereum: 'publishEthereum',
  /** Hosted by every worker that hosts workflows. */
  replayGate: 'replayGate',
} as const;

/**
 * Priorities of workflows and their activities in a task queue; the lower number comes first. A reserved launch comes
 * before a preflight because its permit window ends.
 */
export const PRIORITIES = { launch: 3, preflight: 4 } as const;

export const admitWorkflowId = (launchId: string): string => `admit/${launchId}`;
export const observeWorkflowId = (launchId: string): string => `observe/${launchId}`;
export const planWorkflowId = (planId: string): string => `plan/${planId}`;
export const reviewWorkflowId = (submissionId: string): string => `review/${submissionId}`;
/** One per checkpoint: a contract has one binding per release (docs/reference/index-sources.md#checkpoints). */
export const indexWorkflowId = (source: {
  readonly chainId: number;
  readonly address: string;
  readonly releaseDigest: string;
}): string => `index/${source.chainId}/${source.address}/${source.releaseDigest}`;
/** The id of the recovery. Every worker starts it with this id, so only one runs. */
export const RECOVERY_WORKFLOW_ID = 'recovery/finality';
/** The id of the workflow that reports the readiness of the review service. */
export const REVIEW_READINESS_WORKFLOW_ID = 'review-readiness/report';
/** Milliseconds between two reports. */
export const REVIEW_READINESS_EVERY_MS = 15_000;
/**
 * Extra time that a preflight's evaluation may run after its client's wait ends. Temporal then ends an abandoned one.
 */
export const PREFLIGHT_GRACE_MS = 10_000;
export const preflightWorkflowId = (preflightId: string): string => `preflight/${preflightId}`;

export const TRANSACTION_HINT_SIGNAL = 'transactionHint';

/** Failure type of a preflight whose step cannot succeed in any attempt. */
export const STEP_ABANDONED = 'STEP_ABANDONED';
