import type { TemporalClient } from '@launch/temporal';
import { RECOVERY_WORKFLOW_ID, TASK_QUEUES, WORKFLOW_TYPES } from '@launch/contracts/orchestration';
import type { Logger } from '@launch/platform';

const EVERY_MS = 30_000;
const RETRY_MS = 1_000;

/**
 * Sees to it that the one recovery runs, however its last run ended: a run that exists is left alone, so every
 * worker may do this as often as it likes. Returns how to stop.
 */
export function keepRecoveryRunning(client: TemporalClient['client'], logger: Logger): () => void {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let wasReachable = true;
  const start = async (): Promise<void> => {
    let wait = EVERY_MS;
    try {
      await client.workflow.start(WORKFLOW_TYPES.recoverLaunches, {
        workflowId: RECOVERY_WORKFLOW_ID,
        taskQueue: TASK_QUEUES.finality,
        args: [],
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        workflowIdConflictPolicy: 'USE_EXISTING',
      });
      wasReachable = true;
    } catch (error) {
      if (wasReachable && !stopped) logger.warn({ err: error }, 'the recovery could not be started yet');
      wasReachable = false;
      wait = RETRY_MS;
    }
    if (stopped) return;
    timer = setTimeout(() => void start(), wait);
    timer.unref();
  };
  void start();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
