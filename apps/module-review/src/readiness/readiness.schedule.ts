import { setTimeout as sleep } from 'node:timers/promises';
import {
  REVIEW_READINESS_EVERY_MS,
  REVIEW_READINESS_SCHEDULE_ID,
  REVIEW_READINESS_WORKFLOW_ID,
  TASK_QUEUES,
  WORKFLOW_TYPES,
} from '@launch/contracts/orchestration';
import type { Logger } from '@launch/platform';
import { putSchedule, triggerSchedule, type TemporalClient } from '@launch/temporal';

const RETRY_MS = 1_000;

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
  for (let told = false; !signal.aborted; ) {
    try {
      const { isPaused, note } = await putSchedule(client, READINESS);
      if (isPaused) logger.warn({ note }, 'the report of the readiness is paused');
      else await triggerSchedule(client, REVIEW_READINESS_SCHEDULE_ID);
      return;
    } catch (error) {
      if (signal.aborted) return;
      if (!told) logger.warn({ err: error }, 'the report of the readiness could not be scheduled yet');
      told = true;
      await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}
