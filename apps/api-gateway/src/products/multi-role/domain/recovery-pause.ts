import type { Client } from '@temporalio/client';
import { RECOVERY_WORKFLOW_ID } from '@launch/contracts/orchestration';
import type { Logger } from '@launch/platform';
import { readHousekeeping } from '@launch/temporal';

/** Identifies the switch that pauses recoveries. */
export const RECOVERY_PAUSE = Symbol('RecoveryPause');

const EVERY_MS = 5_000;

/** Whether an operator paused the recovery. */
export interface RecoveryPause {
  /** The last known state. While Temporal is unavailable, a pause remains in effect. */
  isPaused(): boolean;
}

/** Polls the state of the recovery, so that no answer waits for Temporal. */
export function watchRecoveryPause(client: Client, logger: Logger): RecoveryPause & { stop(): void } {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let isPaused = false;
  const look = async (): Promise<void> => {
    try {
      const seen = await readHousekeeping(client, RECOVERY_WORKFLOW_ID);
      // A recovery that no finality worker has started yet is not paused.
      isPaused = seen !== null && seen.pause !== null;
    } catch (error) {
      logger.debug({ err: error }, 'the recovery could not be looked at');
    }
    if (stopped) return;
    timer = setTimeout(() => void look(), EVERY_MS);
    timer.unref();
  };
  void look();
  return {
    isPaused: () => isPaused,
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
