import {
  REVIEW_READINESS_EVERY_MS,
  REVIEW_READINESS_SCHEDULE_ID,
  REVIEW_READINESS_WORKFLOW_ID,
  TASK_QUEUES,
  WORKFLOW_TYPES,
} from '@launch/contracts/orchestration';
import type { Logger } from '@launch/platform';
import { putSchedulePatiently, type TemporalClient } from '@launch/temporal';

const READINESS = {
  scheduleId: REVIEW_READINESS_SCHEDULE_ID,
  workflowType: WORKFLOW_TYPES.reportReviewReadiness,
  taskQueue: TASK_QUEUES.moduleReview,
  workflowId: REVIEW_READINESS_WORKFLOW_ID,
  everyMs: REVIEW_READINESS_EVERY_MS,
  summary: 'Says whether modules can be reviewed now',
  details: [
    'Asks the review for its database and the builder for its key, and tells the gateway what they answered.',
    'A minute without a report shows the review as not ready. **Pause** this to show that on purpose.',
  ].join('\n\n'),
};

/** Makes the schedule, and has it report at once; a start that Temporal is away for goes on, and tries again. */
export async function scheduleReadiness(
  client: TemporalClient['client'],
  { logger, signal }: { readonly logger: Logger; readonly signal: AbortSignal },
): Promise<void> {
  const state = await putSchedulePatiently(client, READINESS, {
    signal,
    onTrouble: (error) => logger.warn({ err: error }, 'the report of the readiness could not be scheduled yet'),
  });
  if (state?.isPaused === true) logger.warn({ note: state.note }, 'the report of the readiness is paused');
}
