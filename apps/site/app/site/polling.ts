import type { OwnerFailure } from './owner-read.js';

/** The last answers of a read that repeats. */
export interface Polled<Value> {
  readonly value: Value | null;
  /** Unix milliseconds of the last value. */
  readonly readAt: number | null;
  /** The failure of the last read; null after a value. */
  readonly failure: OwnerFailure | null;
  /** Reads in a row that failed. */
  readonly failures: number;
}

export const UNREAD: Polled<never> = { value: null, readAt: null, failure: null, failures: 0 };

const FIRST_RETRY_MS = 5_000;
const LONGEST_RETRY_MS = 120_000;
const FINAL_FAILURES: ReadonlySet<OwnerFailure['is']> = new Set(['absent', 'denied', 'refused']);

/**
 * Returns the milliseconds until the next read, or null if none follows.
 * @param pauseMs the pause after this value; null for a value that changes no more
 */
export function nextReadAfter(polled: Polled<unknown>, pauseMs: number | null): number | null {
  const { failure, failures } = polled;
  if (failure === null) return pauseMs;
  if (FINAL_FAILURES.has(failure.is)) return null;
  const backOff = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.max(0, failures - 1));
  return Math.max(backOff, (failure.retryAfterSeconds ?? 0) * 1_000);
}
