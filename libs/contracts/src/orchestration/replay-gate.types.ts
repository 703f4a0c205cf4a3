/** Failure type of a gate whose version cannot replay a recorded history; its details have the report. */
export const REPLAY_FAILED = 'VERSION_REPLAY_FAILED';

/** One gate at a time for each version of a deployment: commands that run concurrently wait for the same one. */
export const replayGateWorkflowId = (deployment: string, buildId: string): string =>
  `replay-gate/${deployment}/${buildId}`;

/** The version that must replay the histories. */
export interface ReplayInput {
  /** Null where the server names no version: the task then accepts any worker. */
  readonly buildId: string | null;
}

/** A workflow whose history the version cannot replay. */
export interface FailedReplay {
  readonly workflowId: string;
  readonly runId: string;
  readonly workflowType: string;
  /** The SDK's reason, shortened. */
  readonly reason: string;
}

export interface ReplayReport {
  readonly replayed: number;
  /** Recent workflows beyond the bounds of size or time: they were not replayed. */
  readonly skipped: number;
  readonly failed: number;
  /** The first of the failed ones. */
  readonly failures: readonly FailedReplay[];
}

/** The activity of every worker that hosts workflows, on its own queue. */
export interface ReplayGateActivities {
  /** Replays recent histories of the worker's queue with the worker's own workflows. Writes nothing. */
  replayHistories(input: ReplayInput): Promise<ReplayReport>;
}
