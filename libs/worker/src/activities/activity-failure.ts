import { ApplicationFailure } from '@temporalio/common';
import type { StepReached } from '@launch/contracts/orchestration';

/**
 * Converts an activity's error to the failure that its workflow receives. The server retries an outage for as long as
 * the activity's timeouts allow. A fault reaches the workflow at once, which counts it (docs/adr/0017). A failure's
 * type is the error's own code, otherwise `unknown`.
 *
 * The details of the failure name the failed step of an activity with several steps.
 *
 * Only the name of errors from outside this repository enters the history, because their text may contain anything.
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
