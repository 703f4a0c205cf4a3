import { ApplicationFailure } from '@temporalio/workflow';
import { MAX_HOLD_REASON, OPERATOR_REJECTIONS } from '@launch/contracts/orchestration';

/** Rejects an update before the history records it; only validators throw it. */
export function rejection(why: keyof typeof OPERATOR_REJECTIONS, message: string): ApplicationFailure {
  const code = OPERATOR_REJECTIONS[why];
  return ApplicationFailure.nonRetryable(`${code}: ${message}`, code);
}

/**
 * Parses a required reason. @throws ApplicationFailure for anything but a text of 1 to `MAX_HOLD_REASON` characters.
 */
export function checkReason(reason: unknown): void {
  if (typeof reason !== 'string' || reason.trim() === '' || reason.length > MAX_HOLD_REASON)
    throw rejection('input', `a reason is needed: a JSON string of 1 to ${MAX_HOLD_REASON} characters`);
}

/** Parses an optional reason. @throws ApplicationFailure for anything but a short text or nothing. */
export function checkHoldReason(reason: unknown): void {
  if (reason !== undefined && reason !== null && (typeof reason !== 'string' || reason.length > MAX_HOLD_REASON))
    throw rejection('input', `the reason is a JSON string of at most ${MAX_HOLD_REASON} characters, or absent`);
}
