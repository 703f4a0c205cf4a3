import type { Client } from '@temporalio/client';
import { RECOVERY_SCHEDULE_ID } from '@launch/contracts/orchestration';
import type { Logger } from '@launch/platform';
import { readSchedule } from '@launch/temporal';

const EVERY_MS = 5_000;

/** What the gateway tells of the schedule that starts the recovery. */
export interface RecoverySchedule {
  /** As it was last seen: while Temporal is away, a pause stands. */
  isPaused(): boolean;
}

/** Looks at the schedule again and again, so that no answer waits for Temporal. */
export function watchRecoverySchedule(client: Client, logger: Logger): RecoverySchedule & { stop(): void } {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let isPaused = false;
  const look = async (): Promise<void> => {
    try {
      const seen = await readSchedule(client, RECOVERY_SCHEDULE_ID);
      // Nobody paused a schedule that no finality worker has made yet.
      isPaused = seen?.isPaused ?? false;
    } catch (error) {
      logger.debug({ err: error }, 'the schedule of the recovery could not be read');
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
