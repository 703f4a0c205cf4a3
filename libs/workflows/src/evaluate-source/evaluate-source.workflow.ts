import { isCancellation, patched, proxyActivities, workflowInfo } from '@temporalio/workflow';
import { PREFLIGHT_GRACE_MS, TASK_QUEUES, type AdmissionActivities, type EvaluateSourceInput, type EvaluateSourceResult } from '@launch/contracts/orchestration';
import { READ_ONLY } from '../retry-profiles.js';
import { evaluateSourceLogic } from './evaluate-source.logic.js';
import { PREFLIGHT_REHEARSAL_PATCH, rehearsalBudget, withRehearsal } from './rehearse-preflight.js';

const admission = proxyActivities<AdmissionActivities>({ ...READ_ONLY, taskQueue: TASK_QUEUES.admission });

/** Until the gateway stops waiting: it gives an evaluation a little longer than its client. */
function patienceLeft(): number {
  const { runStartTime, executionTimeoutMs } = workflowInfo();
  return executionTimeoutMs === undefined ? Number.POSITIVE_INFINITY : executionTimeoutMs - PREFLIGHT_GRACE_MS - (Date.now() - runStartTime.getTime());
}

/** A preflight: the same evaluation and rehearsal as a launch's, with nothing reserved and nothing signed. */
export async function evaluateSource({ ref }: EvaluateSourceInput): Promise<EvaluateSourceResult> {
  const evaluation = await evaluateSourceLogic(admission, ref);
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
