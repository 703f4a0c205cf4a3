/** The members of an event that this file reads, in the form of Temporal's own decoder: absent fields are null or undefined. */
export interface HistoryEvent {
  readonly eventId?: LongLike | null;
  readonly eventTime?: { readonly seconds?: LongLike | null; readonly nanos?: number | null } | null;
  readonly workflowExecutionStartedEventAttributes?: unknown;
  readonly workflowExecutionCompletedEventAttributes?: unknown;
  readonly activityTaskScheduledEventAttributes?: {
    readonly activityType?: { readonly name?: string | null } | null;
  } | null;
  readonly activityTaskStartedEventAttributes?: { readonly scheduledEventId?: LongLike | null } | null;
  readonly activityTaskCompletedEventAttributes?: { readonly scheduledEventId?: LongLike | null } | null;
}

type LongLike = number | { toString(): string };

export interface WorkflowTimes {
  /** Milliseconds from the workflow's start to its completion, by the server's clock. */
  readonly total: number;
  /** Milliseconds that each activity's last attempt ran, by activity name. */
  readonly activities: ReadonlyMap<string, number>;
  /** The rest of the total: scheduling, workflow tasks, queues. */
  readonly between: number;
}

/** Reads a completed workflow's timings from its history. @throws Error when it is not complete or an event has no time. */
export function workflowTimes(events: readonly HistoryEvent[]): WorkflowTimes {
  const begun = events.find((event) => event.workflowExecutionStartedEventAttributes != null);
  const ended = events.find((event) => event.workflowExecutionCompletedEventAttributes != null);
  if (begun === undefined || ended === undefined) throw new Error('the workflow is not complete');
  const names = new Map<string, string>();
  const startedAt = new Map<string, number>();
  const activities = new Map<string, number>();
  for (const event of events) {
    const {
      activityTaskScheduledEventAttributes: scheduled,
      activityTaskStartedEventAttributes: started,
      activityTaskCompletedEventAttributes: completed,
    } = event;
    if (scheduled != null) names.set(String(event.eventId), scheduled.activityType?.name ?? 'unnamed');
    if (started != null) startedAt.set(String(started.scheduledEventId), timeOf(event));
    if (completed != null) {
      const id = String(completed.scheduledEventId);
      const name = names.get(id);
      const from = startedAt.get(id);
      if (name === undefined || from === undefined) throw new Error('an activity completed that was not started');
      activities.set(name, (activities.get(name) ?? 0) + timeOf(event) - from);
    }
  }
  const total = timeOf(ended) - timeOf(begun);
  const inActivities = [...activities.values()].reduce((sum, one) => sum + one, 0);
  return { total, activities, between: Math.max(0, total - inActivities) };
}

function timeOf({ eventTime }: HistoryEvent): number {
  if (eventTime?.seconds == null) throw new Error('an event has no time');
  return Number(String(eventTime.seconds)) * 1_000 + (eventTime.nanos ?? 0) / 1_000_000;
}
