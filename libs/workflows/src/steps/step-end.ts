import { ActivityFailure, ApplicationFailure, isCancellation, TimeoutFailure } from '@temporalio/workflow';
import type { StepReached } from '@launch/contracts/orchestration';

/**
 * Why an attempt at a step gave no answer.
 * - `fault`: its service said that this is no outage; trying again may help or not.
 * - `lost`: whoever worked on it was heard of no more: killed, stuck, or the step itself kills it.
 * - `outage`: a part did not answer. The server tries such a step again by itself, unless it may only try once.
 * - `over`: the time it was given is over.
 */
export interface StepEnd {
  readonly kind: 'fault' | 'lost' | 'outage' | 'over';
  /** Type of the failure, a code. */
  readonly code: string;
  /** Of an activity of several steps, the one that it was at. */
  readonly step?: string;
}

/** Null for what is no step's failure: a cancellation, or a defect of the workflow itself. */
export function stepEndOf(error: unknown): StepEnd | null {
  if (isCancellation(error) || !(error instanceof ActivityFailure)) return null;
  const { cause, retryState } = error;
  if (cause instanceof TimeoutFailure) {
    const isOver =
      cause.timeoutType === 'SCHEDULE_TO_CLOSE' ||
      cause.timeoutType === 'SCHEDULE_TO_START' ||
      retryState === 'TIMEOUT';
    return {
      kind: isOver ? 'over' : 'lost',
      code: `TIMEOUT_${cause.timeoutType}`,
      ...stepReached(cause.lastHeartbeatDetails),
    };
  }
  const isCoded = cause instanceof ApplicationFailure;
  const code = isCoded ? (cause.type ?? cause.name) : 'UNKNOWN';
  const reached = isCoded ? stepReached(cause.details?.[0]) : {};
  if (!isCoded || cause.nonRetryable === true) return { kind: 'fault', code, ...reached };
  return { kind: retryState === 'TIMEOUT' ? 'over' : 'outage', code, ...reached };
}

function stepReached(details: unknown): Pick<StepEnd, 'step'> {
  const step = (details as Partial<StepReached> | null | undefined)?.step;
  return typeof step === 'string' ? { step } : {};
}

/**
 * A step was given up after its bound of attempts (`fault`), or when its time was over. Then a part was still away
 * (`outage`), or an operator held the launch (`hold`).
 */
export class StepAbandoned extends Error {
  override readonly name = 'StepAbandoned';

  constructor(
    readonly step: string,
    readonly reason: 'fault' | 'outage' | 'hold',
    readonly code: string,
  ) {
    super(`${step}: ${code}`);
  }
}
