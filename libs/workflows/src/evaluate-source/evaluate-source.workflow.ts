import { proxyActivities, CancellationScope } from '@temporalio/workflow';
import { TASK_QUEUES, type AdmissionActivities, type EvaluateSourceInput } from '@launch/contracts/orchestration';
import { IDEMPOTENT_WRITE, READ_ONLY } from '../retry-profiles.js';
import { evaluateSourceLogic, type SourceEvaluation } from './evaluate-source.logic.js';

const admission = proxyActivities<AdmissionActivities>({ ...READ_ONLY, taskQueue: TASK_QUEUES.admission });
const cleanup = proxyActivities<Pick<AdmissionActivities, 'discardPreflight'>>({
  ...IDEMPOTENT_WRITE,
  taskQueue: TASK_QUEUES.admission,
});

/** A preflight: the same evaluation, with nothing reserved and nothing signed; its bytes go when it ends, however it ends. */
export async function evaluateSource(input: EvaluateSourceInput): Promise<SourceEvaluation> {
  try {
    return await evaluateSourceLogic(admission, input.ref);
  } finally {
    await CancellationScope.nonCancellable(() => cleanup.discardPreflight(input.ref));
  }
}
