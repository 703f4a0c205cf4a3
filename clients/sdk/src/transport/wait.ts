import { LaunchClientError } from './launch-client.error.js';

/** Options of a wait. */
export interface WaitOptions {
  /** Most milliseconds of the whole wait. One hour by default. */
  readonly timeoutMs?: number;
  /** Milliseconds between two reads. Three seconds by default. */
  readonly pollMs?: number;
  readonly signal?: AbortSignal;
}

const HOUR_MS = 3_600_000;
const POLL_MS = 3_000;

/**
 * Reads until the goal is reached. A failure that is retryable, such as a dropped connection or a page of a proxy, does not end the
 * wait; it reads again, after `Retry-After` if the response has it.
 * @param progressOf whether a value has reached the goal, or ended before it
 * @throws {LaunchClientError} `LAUNCH_ENDED`, `WAIT_TIMED_OUT`, and failures that are not retryable
 */
export async function waitUntil<Value>(
  read: () => Promise<Value>,
  progressOf: (value: Value) => 'reached' | 'ended' | 'open',
  { timeoutMs = HOUR_MS, pollMs = POLL_MS, signal }: WaitOptions,
): Promise<Value> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    let pauseMs = pollMs;
    try {
      const value = await read();
      const progress = progressOf(value);
      if (progress === 'reached') return value;
      if (progress === 'ended') throw new LaunchClientError('LAUNCH_ENDED', 'it ended before the goal of the wait');
    } catch (error) {
      if (!(error instanceof LaunchClientError) || !error.retryable || Date.now() + pollMs > end) throw error;
      pauseMs = Math.max(pollMs, (error.retryAfterSeconds ?? 0) * 1_000);
    }
    if (Date.now() + pauseMs > end)
      throw new LaunchClientError('WAIT_TIMED_OUT', `the goal was not reached within ${timeoutMs} ms`, {
        retryable: true,
      });
    await pause(pauseMs, signal);
  }
}

/** Waits. @throws the signal's reason if it is aborted. */
function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
