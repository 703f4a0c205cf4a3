import { Context } from '@temporalio/activity';
import type { StepReached } from '@launch/contracts/orchestration';
import { activityFailure } from './activity-failure.js';

/** What kept a step from its answer, for the log: the error itself, which no history has. */
export interface StepTrouble {
  readonly step: string;
  /** `admit/<launchId>` and the like. */
  readonly workflowId: string | undefined;
  readonly attempt: number;
  readonly isOutage: boolean;
  readonly err: unknown;
}

export interface StepOptions {
  readonly isOutage: (error: unknown) => boolean;
  /** Type of failures whose error has no code of ours. */
  readonly unknown: (isOutage: boolean) => string;
  readonly onTrouble: (trouble: StepTrouble) => void;
}

/** How far an activity of several steps has come. */
export interface StepProgress {
  /** What the attempt before this one told last; its reader parses it. */
  readonly earlier: unknown;
  /** Called at the beginning of each step. */
  reach(reached: StepReached): void;
}

export type Step = <T>(work: (signal: AbortSignal, progress: StepProgress) => Promise<T>) => Promise<T>;

const HEARTBEAT_MS = 5_000;

/**
 * The edge of a service's activities: each runs with heartbeats, and what it throws becomes a failure that its workflow can
 * judge. Of an activity of several steps, heartbeats and failure name the step that it is at.
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
      // Told to stop: Temporal says what becomes of it. Nobody waits for it any more, or, when this worker ends, another one
      // does it again at once; neither is a step that cannot succeed.
      if (context.cancellationSignal.aborted) return await context.cancelled;
      const { activityType, attempt, workflowExecution } = context.info;
      const trouble = {
        step: reached?.step ?? activityType,
        workflowId: workflowExecution?.workflowId,
        attempt,
        isOutage: isOutage(err),
        err,
      };
      onTrouble(trouble);
      throw activityFailure(err, { isOutage: trouble.isOutage, unknown: unknown(trouble.isOutage), reached });
    } finally {
      clearInterval(beat);
    }
  };
}
