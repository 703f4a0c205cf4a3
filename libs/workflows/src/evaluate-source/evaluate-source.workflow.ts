import { proxyActivities } from '@temporalio/workflow';
import { TASK_QUEUES, type AdmissionActivities, type EvaluateSourceInput, type EvaluateSourceResult } from '@launch/contracts/orchestration';
import { READ_ONLY } from '../retry-profiles.js';
import { evaluateSourceLogic } from './evaluate-source.logic.js';

const admission = proxyActivities<AdmissionActivities>({ ...READ_ONLY, taskQueue: TASK_QUEUES.admission });

/** A preflight: the same evaluation as a launch's, with nothing reserved and nothing signed. */
export async function evaluateSource(input: EvaluateSourceInput): Promise<EvaluateSourceResult> {
  return evaluateSourceLogic(admission, input.ref);
}
