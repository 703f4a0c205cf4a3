import { continueAsNew, proxyActivities, sleep, workflowInfo } from '@temporalio/workflow';
import { TASK_QUEUES, type RecoveryResolveActivities, type RecoveryScanActivities } from '@launch/contracts/orchestration';
import { IDEMPOTENT_WRITE, READ_ONLY } from '../retry-profiles.js';
import { recoverLaunchesLogic } from './recover-launches.logic.js';

const finality = proxyActivities<RecoveryScanActivities>({ ...READ_ONLY, taskQueue: TASK_QUEUES.finality });
const gateway = proxyActivities<RecoveryResolveActivities>({ ...IDEMPOTENT_WRITE, taskQueue: TASK_QUEUES.gateway });

/** Searches in one run; about thirty history events each. */
const ROUNDS_A_RUN = 150;

/** The recovery of launches that hints and observers missed; its id is `recovery/finality`, and there is one. */
export async function recoverLaunches(): Promise<void> {
  await recoverLaunchesLogic({
    finality,
    gateway,
    pause: sleep,
    isHistoryLong: (rounds) => rounds >= ROUNDS_A_RUN || workflowInfo().continueAsNewSuggested,
  });
  return continueAsNew<typeof recoverLaunches>();
}
