import { NexusOperationFailure } from '@temporalio/common';
import {
  ActivityFailure,
  ApplicationFailure,
  CancelledFailure,
  isCancellation,
  TimeoutFailure,
} from '@temporalio/workflow';
import type { StepReached } from '@launch/contracts/orchestration';

/**
 * Reasons why an attempt at a step failed.
 * - `fault`: the service reported a failure that is not an outage; another attempt may help or not.
 * - `lost`: the worker sent no more heartbeats: it was killed, is stuck, or the step kills it.
 * - `outage`: a dependency did not answer. The server repeats such a step itself, unless it has only one attempt.
 * - `over`: the time of the step is over.
 */
export interface StepEnd {
  readonly kind: 'fault' | 'lost' | 'outage' | 'over';
  /** Type of the failure, a code. */
  readonly code: string;
  /** The current step of an activity with several steps. */
  readonly step?: string;
}

/** Returns null for a failure that is not the step's: a cancellation, or a defect of the workflow. */
export function stepEndOf(error: unknown): StepEnd | null {
  if (error instanceof OperationOver) return { kind: 'over', code: error.code };
  if (error instanceof NexusOperationFailure) return operationEndOf(error.cause);
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

/** Returns the end that an operation reported: its coded failure is the innermost cause. */
function operationEndOf(cause: Error | undefined): StepEnd | null {
  if (cause instanceof CancelledFailure) return null;
  let coded: ApplicationFailure | undefined;
  for (let one: unknown = cause; one instanceof Error; one = one.cause)
    if (one instanceof ApplicationFailure) coded = one;
  return { kind: coded?.nonRetryable === false ? 'outage' : 'fault', code: coded?.type ?? cause?.name ?? 'UNKNOWN' };
}

/** Thrown when the time for an operation is over, however often it was called. */
export class OperationOver extends Error {
  override readonly name = 'OperationOver';

  constructor(readonly code: string) {
    super(code);
  }
}

function stepReached(details: unknown): Pick<StepEnd, 'step'> {
  const step = (details as Partial<StepReached> | null | undefined)?.step;
  return typeof step === 'string' ? { step } : {};
}

/**
 * Thrown when a step is given up after its bound of attempts (`fault`), or when its time is over during an outage
 * (`outage`) or a hold (`hold`).
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
