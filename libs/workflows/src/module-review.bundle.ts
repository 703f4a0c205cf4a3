/** Workflows hosted by the review worker: the entry of its bundle. */
export { reportReviewReadiness } from './review-readiness/review-readiness.workflow.js';
export { reviewSubmission } from './review-submission/review-submission.workflow.js';
export { replayGate } from './replay-gate/replay-gate.workflow.js';
