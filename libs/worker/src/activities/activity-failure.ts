import { ApplicationFailure } from '@temporalio/common';
import type { StepReached } from '@launch/contracts/orchestration';

/**
 * What an activity's error becomes for its workflow. The server tries an outage again, as long as the activity may
 * take. A fault is told to the workflow at once, which counts it (docs/adr/0017). A failure's type is the error's own
 * code, where it has one, else `unknown`.
 *
 * Of an activity of several steps the failure's details name the one that failed.
 *
 * Of errors that are not ours nothing but their name goes into the history: their text may be anybody's.
 */
export function activityFailure(
  error: unknown,
  {
    isOutage,
    unknown,
    reached,
  }: { readonly isOutage: boolean; readonly unknown: string; readonly reached?: StepReached | undefined },
): ApplicationFailure {
  if (error instanceof ApplicationFailure) return error;
  const { name, code, message, retryable } = error as Readonly<Record<string, unknown>>;
  const isOurs = typeof code === 'string' && typeof retryable === 'boolean';
  return ApplicationFailure.create({
    type: isOurs ? code : unknown,
    message:
      isOurs && typeof message === 'string' ? message : `${unknown}: ${typeof name === 'string' ? name : typeof error}`,
    nonRetryable: !isOutage,
    ...(reached === undefined ? {} : { details: [{ step: reached.step }] }),
  });
}
