import { setTimeout as sleep } from 'node:timers/promises';
import type { HousekeepingPause } from '@launch/contracts/orchestration';
import type { Logger } from '@launch/platform';
import { startHousekeeping, type HousekeepingWorkflow, type TemporalClient } from '@launch/temporal';

/** How soon a pause is seen, and a run that ended is followed by another. */
const LOOK_EVERY_MS = 5_000;
const RETRY_MS = 1_000;

export interface HousekeepingKeeper {
  /** As it was last seen: while Temporal is away, a pause stands. Null until the first look. */
  pause(): HousekeepingPause | null;
  /** Looks no more. Settles when the last look has ended: until then it needs the connection to Temporal. */
  stop(): Promise<void>;
}

/** Keeps a task of housekeeping running as long as the process lives; any number of processes may do so at once. */
export function keepHousekeeping(
  client: TemporalClient['client'],
  workflow: HousekeepingWorkflow,
  logger: Logger,
): HousekeepingKeeper {
  const { workflowId } = workflow;
  const stopping = new AbortController();
  let pause: HousekeepingPause | null = null;
  let isTroubled = false;
  const look = async (): Promise<number> => {
    try {
      const found = await startHousekeeping(client, workflow);
      isTroubled = false;
      if (found?.status !== 'RUNNING')
        logger.info({ workflowId, after: found?.status ?? null }, 'housekeeping was started');
      const before = pause;
      pause = found?.pause ?? null;
      if (before?.since !== pause?.since)
        logger.warn({ workflowId, pause }, `housekeeping ${pause === null ? 'goes on' : 'is paused'}`);
      return LOOK_EVERY_MS;
    } catch (error) {
      if (!isTroubled && !stopping.signal.aborted)
        logger.warn({ err: error, workflowId }, 'housekeeping could not be looked after yet');
      isTroubled = true;
      return RETRY_MS;
    }
  };
  const keeping = (async () => {
    while (!stopping.signal.aborted)
      await sleep(await look(), undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
  })();
  return {
    pause: () => pause,
    async stop() {
      stopping.abort();
      await keeping;
    },
  };
}
