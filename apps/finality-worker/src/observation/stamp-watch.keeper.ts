import { observeWorkflowId, TRANSACTION_HINT_SIGNAL } from '@launch/contracts/orchestration';
import type { Logger } from '@launch/platform';
import type { TemporalClient } from '@launch/temporal';
import type { StampWatch } from './stamp-watch.js';

/**
 * Tells a launch's observation of a transaction. Where none runs there is nobody to tell: the gateway's relay starts one,
 * which looks by itself.
 */
export async function wakeObservation(
  client: TemporalClient['client'],
  launchId: string,
  transactionHash: string,
): Promise<void> {
  try {
    await client.workflow.getHandle(observeWorkflowId(launchId)).signal(TRANSACTION_HINT_SIGNAL, transactionHash);
  } catch (error) {
    if ((error as Error).name !== 'WorkflowNotFoundError') throw error;
  }
}

/** Has the watch look again and again, whatever fails in between. Returns how to stop. */
export function keepWatching(watch: StampWatch, everyMs: number, logger: Logger): () => void {
  let isStopped = false;
  let wasWell = true;
  let timer: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    try {
      await watch.look();
      wasWell = true;
    } catch (error) {
      // Observations go on at their own pace meanwhile.
      if (wasWell && !isStopped) logger.warn({ err: error }, 'the newest stamps could not be watched');
      wasWell = false;
    }
    if (!isStopped) timer = setTimeout(() => void look(), everyMs).unref();
  };
  void look();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
