import { isProcessAlive } from './child-guard.js';

/** The variable in which a supervisor gives its process id to a child that must not outlive it. */
export const PARENT_PID_VARIABLE = 'LAUNCH_PARENT_PID';

const POLL_MS = 500;

/**
 * Calls `onGone` once after the supervising process has disappeared. Does nothing without `LAUNCH_PARENT_PID` (a
 * container's init process is not a supervisor). Returns a function that stops watching.
 */
export function watchParent(onGone: () => void, env: NodeJS.ProcessEnv = process.env): () => void {
  const declared = Number(env[PARENT_PID_VARIABLE]);
  if (!Number.isSafeInteger(declared) || declared <= 1) return () => undefined;
  // Compares with the current parent rather than the declared id, because a wrapper may be in between.
  const parentAtStart = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parentAtStart && isProcessAlive(declared)) return;
    clearInterval(timer);
    onGone();
  }, POLL_MS);
  timer.unref();
  return () => clearInterval(timer);
}
