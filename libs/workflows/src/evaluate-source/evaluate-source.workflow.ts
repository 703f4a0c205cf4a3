import {
  ApplicationFailure,
  isCancellation,
  log,
  patched,
  proxyActivities,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import {
  PREFLIGHT_GRACE_MS,
  STEP_ABANDONED,
  TASK_QUEUES,
  type AdmissionActivities,
  type EvaluateSourceInput,
  type EvaluateSourceResult,
} from '@launch/contracts/orchestration';
import { READ_ONLY } from '../retry-profiles.js';
import { boundedSteps, MAX_FAULTS, MAX_LOSSES } from '../steps/bounded-steps.js';
import { StepAbandoned } from '../steps/step-end.js';
import { judgeSource, ONE_JUDGEMENT_PATCH } from './judge-request.js';
import { PREFLIGHT_REHEARSAL_PATCH, rehearsalBudget, withRehearsal } from './rehearse-preflight.js';

// A client waits: a fault is tried again quickly, and ends well within its patience.
const admission = boundedSteps(
  () => proxyActivities<AdmissionActivities>({ ...READ_ONLY, taskQueue: TASK_QUEUES.admission }),
  {
    faults: MAX_FAULTS,
    losses: MAX_LOSSES,
    pauses: [250, 500, 1_000, 2_000],
    pause: async (milliseconds) => sleep(milliseconds),
    onTrouble: (trouble) => log.warn('a step is in trouble', { ...trouble }),
  },
);

/** Until the gateway stops waiting: it gives an evaluation a little longer than its client. */
function patienceLeft(): number {
  const { runStartTime, executionTimeoutMs } = workflowInfo();
  return executionTimeoutMs === undefined
    ? Number.POSITIVE_INFINITY
    : executionTimeoutMs - PREFLIGHT_GRACE_MS - (Date.now() - runStartTime.getTime());
}

/** A preflight: the same evaluation and rehearsal as a launch's, with nothing reserved and nothing signed. */
export async function evaluateSource({ ref }: EvaluateSourceInput): Promise<EvaluateSourceResult> {
  const evaluation = await evaluated(ref);
  if (!patched(PREFLIGHT_REHEARSAL_PATCH)) return evaluation;
  const budget = rehearsalBudget(patienceLeft());
  if (budget === null) return evaluation;
  const { rehearseLaunch } = proxyActivities<Pick<AdmissionActivities, 'rehearseLaunch'>>({
    ...READ_ONLY,
    taskQueue: TASK_QUEUES.admission,
    scheduleToCloseTimeout: budget,
    retry: { maximumAttempts: 1 },
  });
  return withRehearsal(evaluation, ref, rehearseLaunch, isCancellation);
}

async function evaluated(ref: EvaluateSourceInput['ref']): Promise<EvaluateSourceResult> {
  try {
    return await judgeSource(admission, ref, patched(ONE_JUDGEMENT_PATCH));
  } catch (error) {
    if (error instanceof StepAbandoned) throw ApplicationFailure.nonRetryable(error.message, STEP_ABANDONED);
    throw error;
  }
}
