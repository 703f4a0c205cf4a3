import { ApplicationFailure } from '@temporalio/workflow';
import { REVIEW_REJECTIONS, STEP_ABANDONED, type DecisionUpdate } from '@launch/contracts/orchestration';
import { StepAbandoned } from '../steps/step-end.js';
import type { Reject } from './review-submission.logic.js';

const DIGEST = /^sha256:[0-9a-f]{64}$/;
const OUTCOMES: readonly unknown[] = ['accept', 'request_changes', 'reject'] satisfies DecisionUpdate['outcome'][];

/**
 * Rejects an update. A rejection by a validator is not in the history; one by a handler changes nothing in the
 * database.
 */
export const rejection: Reject = (code, message) => ApplicationFailure.nonRetryable(`${code}: ${message}`, code);

/** Parses a digest. @throws ApplicationFailure for any other input. */
export function checkDigest(digest: unknown, name: string): void {
  if (typeof digest !== 'string' || !DIGEST.test(digest))
    throw rejection(REVIEW_REJECTIONS.input, `${name} is sha256: followed by 64 hex digits`);
}

/** Parses an outcome. @throws ApplicationFailure for any other input. */
export function checkOutcome(outcome: unknown): void {
  if (!OUTCOMES.includes(outcome)) throw rejection(REVIEW_REJECTIONS.input, `outcome is ${OUTCOMES.join(', ')}`);
}

/** Fails an update that cannot be judged. Nothing was written, so the review continues. */
export async function judged<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof StepAbandoned)) throw error;
    throw ApplicationFailure.nonRetryable(error.message, STEP_ABANDONED);
  }
}
