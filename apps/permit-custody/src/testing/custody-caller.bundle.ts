import { proxyActivities } from '@temporalio/workflow';
import type { CustodyActivities, SignPermitInput, SignPermitResult } from '@launch/contracts/orchestration';
import { TASK_QUEUES } from '@launch/contracts/orchestration';

// Asks again soon after a killed attempt; the launch's own workflow asks more slowly.
const { signPermit } = proxyActivities<CustodyActivities>({
  taskQueue: TASK_QUEUES.custody,
  startToCloseTimeout: '6 seconds',
  retry: { initialInterval: '100 milliseconds', backoffCoefficient: 1 },
});

/** Asks custody for one permit, for as long as it takes. */
export async function askForPermit(input: SignPermitInput): Promise<SignPermitResult> {
  return signPermit(input);
}
