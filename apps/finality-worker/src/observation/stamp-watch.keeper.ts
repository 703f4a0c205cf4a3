import { observeWorkflowId, TRANSACTION_HINT_SIGNAL } from '@launch/contracts/orchestration';
import type { Logger } from '@launch/platform';
import type { TemporalClient } from '@launch/temporal';
import type { StampWatch } from './stamp-watch.js';

/**
 * Signals a transaction to a launch's observation. If none runs, the signal is dropped: the gateway's relay starts one,
 * which polls the chain itself.
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

/** Polls the watch repeatedly, regardless of failures. Returns a function that stops it. */
export function keepWatching(watch: StampWatch, everyMs: number, logger: Logger): () => void {
  let isStopped = false;
  let wasWell = true;
  let timer: NodeJS.Timeout | undefined;
  const poll = async (): Promise<void> => {
    try {
      await watch.poll();
      wasWell = true;
    } catch (error) {
      // Observations continue at their own pace meanwhile.
      if (wasWell && !isStopped) logger.warn({ err: error }, 'the newest stamps could not be watched');
      wasWell = false;
    }
    if (!isStopped) timer = setTimeout(() => void poll(), everyMs).unref();
  };
  void poll();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
