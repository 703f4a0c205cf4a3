import { Context } from '@temporalio/activity';
import type { StepReached } from '@launch/contracts/orchestration';
import { activityFailure } from './activity-failure.js';

/** The failure of a step, for the log: the error itself, which no history contains. */
export interface StepTrouble {
  readonly step: string;
  /** `admit/<launchId>` and the like. */
  readonly workflowId: string | undefined;
  readonly attempt: number;
  readonly isOutage: boolean;
  /** Type of the failure that its workflow receives. */
  readonly code: string;
  readonly err: unknown;
}

export interface StepOptions {
  readonly isOutage: (error: unknown) => boolean;
  /** Returns the type of failures whose error has no code of this repository. */
  readonly unknown: (isOutage: boolean) => string;
  readonly onTrouble: (trouble: StepTrouble) => void;
}

/** The progress of an activity with several steps. */
export interface StepProgress {
  /** The last heartbeat of the previous attempt; its reader parses it. */
  readonly earlier: unknown;
  /** Called at the beginning of each step. */
  reach(reached: StepReached): void;
}

export type Step = <T>(work: (signal: AbortSignal, progress: StepProgress) => Promise<T>) => Promise<T>;

const HEARTBEAT_MS = 5_000;

/**
 * Creates the runner of a service's activities: each runs with heartbeats, and its errors become failures that its
 * workflow can judge. For an activity of several steps, heartbeats and failure name the current step.
 */
export function activityStep({ isOutage, unknown, onTrouble }: StepOptions): Step {
  return async (work) => {
    const context = Context.current();
    let reached: StepReached | undefined;
    const beat = setInterval(() => context.heartbeat(reached), HEARTBEAT_MS);
    try {
      return await work(context.cancellationSignal, {
        earlier: context.info.heartbeatDetails as unknown,
        reach: (next) => {
          reached = next;
          context.heartbeat(next);
        },
      });
    } catch (err) {
      // Cancelled: Temporal decides the outcome. Either no workflow waits for it any more or, if this worker is
      // stopping, another worker repeats it at once; neither is a step that cannot succeed.
      if (context.cancellationSignal.aborted) return await context.cancelled;
      const { activityType, attempt, workflowExecution } = context.info;
      const isWaiting = isOutage(err);
      const failure = activityFailure(err, { isOutage: isWaiting, unknown: unknown(isWaiting), reached });
      onTrouble({
        step: reached?.step ?? activityType,
        workflowId: workflowExecution?.workflowId,
        attempt,
        isOutage: isWaiting,
        code: failure.type ?? unknown(isWaiting),
        err,
      });
      throw failure;
    } finally {
      clearInterval(beat);
    }
  };
}
