/**
 * One task queue a service: a workflow crosses services by calling activities on the queue of the service that owns the step.
 * Admission has two more, so that compilations wait for each other and for nothing else, and short ones not for long ones.
 */
export const TASK_QUEUES = {
  admission: 'launch-admission',
  compilation: 'launch-compilation',
  longCompilation: 'launch-long-compilation',
  gateway: 'launch-gateway',
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
} as const;

/** Priorities of workflows and their activities in a task queue: the lower number first. A reserved launch has a permit window that ends. */
export const PRIORITIES = { launch: 3, preflight: 4 } as const;

export const admitWorkflowId = (launchId: string): string => `admit/${launchId}`;
export const observeWorkflowId = (launchId: string): string => `observe/${launchId}`;
export const planWorkflowId = (planId: string): string => `plan/${planId}`;
export const reviewWorkflowId = (submissionId: string): string => `review/${submissionId}`;
/** One for each checkpoint: a contract has as many bindings as releases (docs/reference/index-sources.md#checkpoints). */
export const indexWorkflowId = (source: {
  readonly chainId: number;
  readonly address: string;
  readonly releaseDigest: string;
}): string => `index/${source.chainId}/${source.address}/${source.releaseDigest}`;
/** The recovery: there is one, whichever worker starts it. */
export const RECOVERY_WORKFLOW_ID = 'recovery/finality';
/** What the review says of itself, again and again. */
export const REVIEW_READINESS_WORKFLOW_ID = 'review-readiness/report';
/** Milliseconds between two reports. */
export const REVIEW_READINESS_EVERY_MS = 15_000;
/** How much longer a preflight's evaluation may run than its client is kept waiting: Temporal then ends a forgotten one by itself. */
export const PREFLIGHT_GRACE_MS = 10_000;
export const preflightWorkflowId = (preflightId: string): string => `preflight/${preflightId}`;

export const TRANSACTION_HINT_SIGNAL = 'transactionHint';

/** Type of the failure of a preflight whose step cannot be done, however often it is tried. */
export const STEP_ABANDONED = 'STEP_ABANDONED';
