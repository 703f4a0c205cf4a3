import { RECOVERY_WORKFLOW_ID, TASK_QUEUES, WORKFLOW_TYPES } from '@launch/contracts/orchestration';
import type { HousekeepingWorkflow } from '@launch/temporal';

/** The search for launches that hints and observers missed. */
export const RECOVERY: HousekeepingWorkflow = {
  workflowType: WORKFLOW_TYPES.recoverLaunches,
  workflowId: RECOVERY_WORKFLOW_ID,
  taskQueue: TASK_QUEUES.finality,
  summary: 'Finds launches on chain that no client reported',
  details: [
    'Searches the stamps of finalized blocks of chain 4663 up to the finalized head, and names each transaction it finds to the',
    'observation of its launch. Send `pause` with a reason to stop the search, `resume` to go on, `trigger` to search now.',
    'A run may be cancelled or terminated at any time: a finality worker starts the next one, which goes on from the checkpoint, paused or not as before.',
  ].join('\n'),
};
