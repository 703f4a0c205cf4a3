import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ScheduleOverlapPolicy } from '@temporalio/client';
import { sharedTemporal, uniqueName } from '@launch/testing';
import { connectTemporal, type TemporalClient } from './connection.js';
import { putSchedule, readSchedule, type RecurringWorkflow } from './schedule.js';

let temporal: TemporalClient;
let wanted: RecurringWorkflow;
beforeAll(async () => void (temporal = await connectTemporal(await sharedTemporal())));
afterAll(() => temporal.close());
beforeEach(() => {
  const name = uniqueName('recurring');
  wanted = {
    scheduleId: name,
    workflowType: 'probe',
    // Nobody polls it: a run that began stays open.
    taskQueue: name,
    workflowId: `${name}/run`,
    everyMs: 3_600_000,
    summary: 'Says nothing',
    details: 'Nobody works on it.',
  };
});
const schedule = () => temporal.client.schedule.getHandle(wanted.scheduleId);
afterEach(() => schedule().delete());

/** The description once it shows what is asked for; a schedule takes note of what it is told a moment later. */
async function described(shows: (found: Awaited<ReturnType<ReturnType<typeof schedule>['describe']>>) => boolean) {
  for (const until = Date.now() + 120_000; Date.now() < until; await sleep(50)) {
    const found = await schedule().describe();
    if (shows(found)) return found;
  }
  throw new Error('the schedule never showed it');
}

describe('a schedule', () => {
  it('starts one run at a time, and leaves out what is late', async () => {
    expect(await readSchedule(temporal.client, wanted.scheduleId)).toBeNull();
    expect(await putSchedule(temporal.client, wanted)).toEqual({ isPaused: false, note: null });
    await schedule().trigger(ScheduleOverlapPolicy.SKIP);
    const { policies, action, info } = await described((found) => found.info.runningActions.length === 1);
    expect(policies).toMatchObject({ overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: 60_000 });
    expect(action).toMatchObject({ staticSummary: 'Says nothing', staticDetails: 'Nobody works on it.' });
    expect(info.recentActions[0]?.action.workflow.workflowId).toMatch(new RegExp(`^${wanted.workflowId}-20`));
    await schedule().trigger(ScheduleOverlapPolicy.SKIP);
    await described((found) => found.info.numActionsSkippedOverlap === 1);
    expect((await schedule().describe()).info.recentActions).toHaveLength(1);
  });

  it('is made once by many who ask at the same moment, and not touched where it is as wanted already', async () => {
    await Promise.all(Array.from({ length: 8 }, () => putSchedule(temporal.client, wanted)));
    await putSchedule(temporal.client, wanted);
    expect((await schedule().describe()).info.lastUpdatedAt).toBeUndefined();
  });

  it('becomes what a later release wants, and stays paused with the note of the operator who paused it', async () => {
    await putSchedule(temporal.client, wanted);
    await schedule().pause('the observers are being moved');
    await described(({ state }) => state.paused);
    const paused = { isPaused: true, note: 'the observers are being moved' };
    const later = { ...wanted, everyMs: 7_200_000, workflowType: 'later', summary: 'Says more' };
    expect(await putSchedule(temporal.client, later)).toEqual(paused);
    const found = await described(({ action }) => action.workflowType === 'later');
    expect(found.spec.intervals).toMatchObject([{ every: 7_200_000 }]);
    expect(found.action.staticSummary).toBe('Says more');
    expect(await readSchedule(temporal.client, wanted.scheduleId)).toEqual(paused);
  });
});
