import { setTimeout as sleep } from 'node:timers/promises';
import type { HousekeepingPause } from '@launch/contracts/orchestration';
import type { Logger } from '@launch/platform';
import { startHousekeeping, type HousekeepingWorkflow, type TemporalClient } from '@launch/temporal';

/** Milliseconds between two polls, which bound how soon a pause is noticed and an ended run is replaced. */
const POLL_EVERY_MS = 5_000;
const RETRY_MS = 1_000;

export interface HousekeepingKeeper {
  /**
   * Returns the pause from the last poll, which stays in effect while Temporal is unreachable. Null until the first
   * poll.
   */
  pause(): HousekeepingPause | null;
  /** Stops polling. Resolves when the last poll has ended, which needs the connection to Temporal until then. */
  stop(): Promise<void>;
}

/**
 * Keeps a housekeeping task running for the lifetime of the process; any number of processes may do so concurrently.
 */
export function keepHousekeeping(
  client: TemporalClient['client'],
  workflow: HousekeepingWorkflow,
  logger: Logger,
): HousekeepingKeeper {
  const { workflowId } = workflow;
  const stopping = new AbortController();
  let pause: HousekeepingPause | null = null;
  let isTroubled = false;
  const poll = async (): Promise<number> => {
    try {
      const found = await startHousekeeping(client, workflow);
      isTroubled = false;
      if (found?.status !== 'RUNNING')
        logger.info({ workflowId, after: found?.status ?? null }, 'housekeeping was started');
      const before = pause;
      pause = found?.pause ?? null;
      if (before?.since !== pause?.since)
        logger.warn({ workflowId, pause }, `housekeeping ${pause === null ? 'was resumed' : 'was paused'}`);
      return POLL_EVERY_MS;
    } catch (error) {
      if (!isTroubled && !stopping.signal.aborted)
        logger.warn({ err: error, workflowId }, 'housekeeping could not be polled yet');
      isTroubled = true;
      return RETRY_MS;
    }
  };
  const keeping = (async () => {
    while (!stopping.signal.aborted)
      await sleep(await poll(), undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
  })();
  return {
    pause: () => pause,
    async stop() {
      stopping.abort();
      await keeping;
    },
  };
}
