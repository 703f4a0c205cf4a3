import { REVIEW_READINESS_WORKFLOW_ID, TASK_QUEUES, WORKFLOW_TYPES } from '@launch/contracts/orchestration';
import type { HousekeepingWorkflow } from '@launch/temporal';

/** The reports from which the gateway shows whether modules can be reviewed. */
export const READINESS: HousekeepingWorkflow = {
  workflowType: WORKFLOW_TYPES.reportReviewReadiness,
  workflowId: REVIEW_READINESS_WORKFLOW_ID,
  taskQueue: TASK_QUEUES.moduleReview,
  summary: 'Says whether modules can be reviewed now',
  details: [
    'Asks the review for its database and the builder for its key, and tells the gateway what they answered.',
    'A minute without a report shows the review as not ready. Send `pause` with a reason to show that on purpose.',
  ].join('\n\n'),
};
