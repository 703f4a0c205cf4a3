import {
  RECOVERY_SCHEDULE_ID,
  RECOVERY_WORKFLOW_ID,
  TASK_QUEUES,
  WORKFLOW_TYPES,
} from '@launch/contracts/orchestration';
import type { Logger } from '@launch/platform';
import { endRun, putSchedule, readSchedule, type ScheduleState, type TemporalClient } from '@launch/temporal';

/** How soon a pause is seen, and a schedule that somebody deleted is made again. */
const EVERY_MS = 5_000;
const RETRY_MS = 1_000;

/** What the run of an earlier release is told at its end. */
export const FORMER_RUN_ENDED = `the recovery is started by the schedule ${RECOVERY_SCHEDULE_ID} now`;

const recoveryOf = (everyMs: number) => ({
  scheduleId: RECOVERY_SCHEDULE_ID,
  workflowType: WORKFLOW_TYPES.recoverLaunches,
  taskQueue: TASK_QUEUES.finality,
  workflowId: RECOVERY_WORKFLOW_ID,
  everyMs,
  summary: 'Finds launches on chain that nobody reported',
  details: [
    'Searches the stamps of finalized blocks of chain 4663 up to the finalized head, and names each transaction it finds to the',
    `observation of its launch. The schedule \`${RECOVERY_SCHEDULE_ID}\` starts one run after another. **Pause** it there to stop the search;`,
    '**Trigger** it to search now. A run may be cancelled or terminated at any time: the next one goes on from the checkpoint.',
  ].join('\n'),
});

/** What came of one look after the schedule. */
export interface KeptRecovery extends ScheduleState {
  /** A run of an earlier release was found, and ended. */
  readonly isFormerRunEnded: boolean;
}

/**
 * Makes the schedule of the recovery, or this release's of an earlier one's, and ends the endless run of earlier releases.
 * @param isFirst False for a later look: then a schedule that is there is left as it is.
 * @throws ServiceError while Temporal cannot be reached.
 */
export async function settleRecovery(
  client: TemporalClient['client'],
  { everyMs, isFirst }: { readonly everyMs: number; readonly isFirst: boolean },
): Promise<KeptRecovery> {
  const found = isFirst ? null : await readSchedule(client, RECOVERY_SCHEDULE_ID);
  const state = found ?? (await putSchedule(client, recoveryOf(everyMs)));
  // Its checkpoint moves after what it found is resolved: the first scheduled run goes on from there.
  return { ...state, isFormerRunEnded: await endRun(client, RECOVERY_WORKFLOW_ID, FORMER_RUN_ENDED) };
}

export interface RecoveryKeeper {
  /** As it was last seen; false until it was. */
  isPaused(): boolean;
  /** Looks no more. Settles when the last look has ended: until then it needs the connection to Temporal. */
  stop(): Promise<void>;
}

/** Settles the recovery at the start, and looks after it as long as the process lives. */
export function keepRecovery(
  client: TemporalClient['client'],
  { everyMs, logger }: { readonly everyMs: number; readonly logger: Logger },
): RecoveryKeeper {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let wasReachable = true;
  let isFirst = true;
  let isPaused = false;
  const look = async (): Promise<void> => {
    let wait = EVERY_MS;
    try {
      const seen = await settleRecovery(client, { everyMs, isFirst });
      if (seen.isFormerRunEnded) logger.info('the recovery of an earlier release was ended: a schedule starts it now');
      if (seen.isPaused !== isPaused)
        logger.warn({ note: seen.note }, `the recovery ${seen.isPaused ? 'is paused' : 'goes on'}`);
      ({ isPaused } = seen);
      [isFirst, wasReachable] = [false, true];
    } catch (error) {
      if (wasReachable && !stopped) logger.warn({ err: error }, 'the recovery could not be looked after yet');
      wasReachable = false;
      wait = RETRY_MS;
    }
    if (stopped) return;
    timer = setTimeout(() => void (looking = look()), wait);
    timer.unref();
  };
  let looking = look();
  return {
    isPaused: () => isPaused,
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await looking;
    },
  };
}
