/** Workflows hosted by the review worker: the entry of its bundle. */
export { reviewSubmission } from './review-submission/review-submission.workflow.js';
