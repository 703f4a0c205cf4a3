import { describe, expect, it } from '@jest/globals';
import { workflowTimes, type HistoryEvent } from './activity-times.js';

const at = (milliseconds: number) => ({
  seconds: { toString: () => String(Math.floor(milliseconds / 1_000)) },
  nanos: (milliseconds % 1_000) * 1_000_000,
});
const begun: HistoryEvent = { eventId: 1, eventTime: at(1_000), workflowExecutionStartedEventAttributes: {} };
const ended = (milliseconds: number): HistoryEvent => ({
  eventId: 99,
  eventTime: at(milliseconds),
  workflowExecutionCompletedEventAttributes: {},
});

/** Scheduled, started and completed events of one activity. */
const activity = (name: string, id: number, from: number, to: number): HistoryEvent[] => [
  { eventId: id, eventTime: at(from - 5), activityTaskScheduledEventAttributes: { activityType: { name } } },
  { eventId: id + 1, eventTime: at(from), activityTaskStartedEventAttributes: { scheduledEventId: id } },
  {
    eventId: id + 2,
    eventTime: at(to),
    activityTaskCompletedEventAttributes: { scheduledEventId: { toString: () => String(id) } },
  },
];

describe('The timings of a workflow history', () => {
  it('consist of the total, each activity, and the remaining time between them', () => {
    const times = workflowTimes([
      begun,
      ...activity('scan', 5, 1_020, 1_050),
      ...activity('match', 11, 1_100, 2_300),
      ended(2_400),
    ]);
    expect(times).toEqual({
      total: 1_400,
      activities: new Map([
        ['scan', 30],
        ['match', 1_200],
      ]),
      between: 170,
    });
  });

  it('add up the activities that ran twice under one name', () => {
    const { activities } = workflowTimes([
      begun,
      ...activity('record', 5, 1_010, 1_020),
      ...activity('record', 8, 1_030, 1_045),
      ended(1_050),
    ]);
    expect(activities.get('record')).toBe(25);
  });

  it.each<[string, HistoryEvent[]]>([
    ['not complete', [begun]],
    ['not complete', [ended(5)]],
    ['that was not started', [begun, ...activity('scan', 5, 1_020, 1_050).slice(2), ended(2_000)]],
    ['has no time', [{ ...begun, eventTime: null }, ended(2_000)]],
  ])('are refused when an entry is %s', (problem, events) => {
    expect(() => workflowTimes(events)).toThrow(problem);
  });
});
