import {
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
  type Client,
  type ScheduleDescription,
} from '@temporalio/client';

/** A workflow without arguments that the server starts again and again, one run at a time. */
export interface RecurringWorkflow {
  readonly scheduleId: string;
  readonly workflowType: string;
  readonly taskQueue: string;
  /** Beginning of the id of its runs; the server adds the time. */
  readonly workflowId: string;
  /** Milliseconds between two starts, at least 1,000: the server counts in seconds. */
  readonly everyMs: number;
  /** One line, shown in the Temporal UI's lists. */
  readonly summary: string;
  /** Markdown, shown on a run's page. */
  readonly details: string;
}

/** A start that is later than this, because the server was away, is left out: the next one does the same work. */
const CATCHUP_WINDOW_MS = 60_000;

/** What an operator set: whether the server starts runs, and the note left with that. */
export interface ScheduleState {
  readonly isPaused: boolean;
  readonly note: string | null;
}

/**
 * Makes the schedule what the caller says, whoever made it before; any number of processes may do so at once.
 * What an operator set stays: a paused schedule stays paused, with its note.
 * @throws ServiceError while the server cannot be reached.
 */
export async function putSchedule(client: Client, wanted: RecurringWorkflow): Promise<ScheduleState> {
  const definition = definitionOf(wanted);
  try {
    await client.schedule.create({ scheduleId: wanted.scheduleId, ...definition });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    const handle = client.schedule.getHandle(wanted.scheduleId);
    if (!isAsWanted(await handle.describe(), wanted))
      await handle.update(({ state: { paused, note, remainingActions } }) => ({
        ...definition,
        state: {
          paused,
          ...(note === undefined ? {} : { note }),
          ...(remainingActions === undefined ? {} : { remainingActions }),
        },
      }));
  }
  const state = await readSchedule(client, wanted.scheduleId);
  return state ?? { isPaused: false, note: null };
}

/**
 * @returns null where there is no such schedule.
 * @throws ServiceError while the server cannot be reached.
 */
export async function readSchedule(client: Client, scheduleId: string): Promise<ScheduleState | null> {
  try {
    const { state } = await client.schedule.getHandle(scheduleId).describe();
    return { isPaused: state.paused, note: state.note === undefined || state.note === '' ? null : state.note };
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return null;
    throw error;
  }
}

/** Starts a run now, unless one runs. @throws ServiceError while the server cannot be reached. */
export const triggerSchedule = (client: Client, scheduleId: string): Promise<void> =>
  client.schedule.getHandle(scheduleId).trigger(ScheduleOverlapPolicy.SKIP);

const definitionOf = ({ workflowType, taskQueue, workflowId, everyMs, summary, details }: RecurringWorkflow) => ({
  spec: { intervals: [{ every: everyMs }] },
  action: {
    type: 'startWorkflow' as const,
    workflowType,
    taskQueue,
    workflowId,
    args: [],
    staticSummary: summary,
    staticDetails: details,
  },
  policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: CATCHUP_WINDOW_MS, pauseOnFailure: false },
});

/** An update replaces an operator's pause of the same moment, so it is made only where something differs. */
function isAsWanted({ spec, action, policies }: ScheduleDescription, wanted: RecurringWorkflow): boolean {
  const found = [
    spec.intervals?.map(({ every, offset }) => [every, offset ?? 0]),
    [spec.calendars?.length ?? 0, spec.skip?.length ?? 0],
    [action.workflowType, action.taskQueue, action.workflowId, action.staticSummary, action.staticDetails],
    [policies.overlap, policies.catchupWindow, policies.pauseOnFailure],
  ];
  const { workflowType, taskQueue, workflowId, everyMs, summary, details } = wanted;
  return (
    JSON.stringify(found) ===
    JSON.stringify([
      [[everyMs, 0]],
      [0, 0],
      [workflowType, taskQueue, workflowId, summary, details],
      [ScheduleOverlapPolicy.SKIP, CATCHUP_WINDOW_MS, false],
    ])
  );
}
