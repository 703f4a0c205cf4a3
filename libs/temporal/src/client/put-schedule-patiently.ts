import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { putSchedule, triggerSchedule, type RecurringWorkflow, type ScheduleState } from './schedule.js';

const RETRY_MS = 1_000;

/**
 * Makes a schedule and begins its first run at once, unless an operator paused it. A start that Temporal is away for goes
 * on: this tries again until it is there.
 * @param onTrouble told once, with the first failure.
 * @returns the schedule's state; null when it was stopped before.
 */
export async function putSchedulePatiently(
  client: Client,
  schedule: RecurringWorkflow,
  { signal, onTrouble }: { readonly signal: AbortSignal; readonly onTrouble: (error: unknown) => void },
): Promise<ScheduleState | null> {
  for (let told = false; !signal.aborted;) {
    try {
      const state = await putSchedule(client, schedule);
      if (!state.isPaused) await triggerSchedule(client, schedule.scheduleId);
      return state;
    } catch (error) {
      if (signal.aborted) return null;
      if (!told) onTrouble(error);
      told = true;
      await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }
  return null;
}
