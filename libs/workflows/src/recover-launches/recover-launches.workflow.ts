import { continueAsNew, log, patched, proxyActivities, sleep, upsertMemo, workflowInfo } from '@temporalio/workflow';
import {
  TASK_QUEUES,
  type RecoveryResolveActivities,
  type RecoveryScanActivities,
} from '@launch/contracts/orchestration';
import { OperatorConsole } from '../operator/operator-console.js';
import { StepPauses } from '../operator/step-pauses.js';
import { stepSummary } from '../operator/step-summaries.js';
import { IDEMPOTENT_WRITE, READ_ONLY } from '../retry-profiles.js';
import { boundedSteps } from '../steps/bounded-steps.js';
import { endlessPatience, troubleText } from '../steps/patient-steps.js';
import { recoverForEver, recoverLaunchesLogic, type RecoverySteps } from './recover-launches.logic.js';

/** Searches in one run; about thirty history events each. */
const ROUNDS_A_RUN = 150;

/**
 * One run of the recovery of launches that hints and observers missed. The schedule `recovery-finality` begins it, as
 * `recovery/finality-<time>`, unless an earlier one still runs.
 */
export async function recoverLaunches(): Promise<void> {
  const shown = new OperatorConsole('searching');
  // While a step cannot be done there is no report either, which readiness shows after a while.
  const patience = endlessPatience({
    pause: new StepPauses(shown).pause,
    watch: shown,
    onTrouble: (trouble) => {
      log.warn('a step is in trouble', { ...trouble });
      shown.troubled(trouble);
      upsertMemo({ trouble: troubleText(trouble) });
    },
    onRecovery: () => {
      shown.troubled(null);
      upsertMemo({ trouble: '' });
    },
  });
  const steps: RecoverySteps = {
    finality: boundedSteps(
      (step) =>
        proxyActivities<RecoveryScanActivities>({
          ...READ_ONLY,
          taskQueue: TASK_QUEUES.finality,
          summary: stepSummary(step),
        }),
      patience,
    ),
    gateway: boundedSteps(
      (step) =>
        proxyActivities<RecoveryResolveActivities>({
          ...IDEMPOTENT_WRITE,
          taskQueue: TASK_QUEUES.gateway,
          summary: stepSummary(step),
        }),
      patience,
    ),
    isHistoryLong: (rounds) => rounds >= ROUNDS_A_RUN || workflowInfo().continueAsNewSuggested,
  };
  if (!patched('scheduled-recovery')) await recoverForEver({ ...steps, pause: sleep });
  else if ((await recoverLaunchesLogic(steps)) === 'caught-up') return;
  return continueAsNew<typeof recoverLaunches>();
}
