import { continueAsNew, log, patched, proxyActivities, sleep, upsertMemo, workflowInfo } from '@temporalio/workflow';
import {
  TASK_QUEUES,
  type RecoveryResolveActivities,
  type RecoveryScanActivities,
} from '@launch/contracts/orchestration';
import { IDEMPOTENT_WRITE, READ_ONLY } from '../retry-profiles.js';
import { boundedSteps } from '../steps/bounded-steps.js';
import { endlessPatience, troubleText } from '../steps/patient-steps.js';
import { recoverForEver, recoverLaunchesLogic, type RecoverySteps } from './recover-launches.logic.js';

const finality = proxyActivities<RecoveryScanActivities>({ ...READ_ONLY, taskQueue: TASK_QUEUES.finality });
const gateway = proxyActivities<RecoveryResolveActivities>({ ...IDEMPOTENT_WRITE, taskQueue: TASK_QUEUES.gateway });

/** While a step cannot be done there is no report either, which readiness shows after a while. */
const patience = endlessPatience({
  pause: async (milliseconds) => sleep(milliseconds),
  onTrouble: (trouble) => {
    log.warn('a step is in trouble', { ...trouble });
    upsertMemo({ trouble: troubleText(trouble) });
  },
  onRecovery: () => upsertMemo({ trouble: '' }),
});

/** Searches in one run; about thirty history events each. */
const ROUNDS_A_RUN = 150;

const steps: RecoverySteps = {
  finality: boundedSteps(() => finality, patience),
  gateway: boundedSteps(() => gateway, patience),
  isHistoryLong: (rounds) => rounds >= ROUNDS_A_RUN || workflowInfo().continueAsNewSuggested,
};

/**
 * One run of the recovery of launches that hints and observers missed. The schedule `recovery-finality` begins it, as
 * `recovery/finality-<time>`, unless an earlier one still runs.
 */
export async function recoverLaunches(): Promise<void> {
  if (!patched('scheduled-recovery')) await recoverForEver({ ...steps, pause: sleep });
  else if ((await recoverLaunchesLogic(steps)) === 'caught-up') return;
  return continueAsNew<typeof recoverLaunches>();
}
