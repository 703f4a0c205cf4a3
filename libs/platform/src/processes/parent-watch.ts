import { isProcessAlive } from './child-guard.js';

/** The variable by which a supervisor tells a child whose end it must not survive. */
export const PARENT_PID_VARIABLE = 'LAUNCH_PARENT_PID';

const POLL_MS = 500;

/**
 * Calls `onGone` once when the supervising process has disappeared. Does nothing without
 * `LAUNCH_PARENT_PID` (a container's init process is no supervisor). Returns a function that stops watching.
 */
export function watchParent(onGone: () => void, env: NodeJS.ProcessEnv = process.env): () => void {
  const declared = Number(env[PARENT_PID_VARIABLE]);
  if (!Number.isSafeInteger(declared) || declared <= 1) return () => undefined;
  // Compared with the parent seen now, not with the declared id: a wrapper may stand in between.
  const parentAtStart = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parentAtStart && isProcessAlive(declared)) return;
    clearInterval(timer);
    onGone();
  }, POLL_MS);
  timer.unref();
  return () => clearInterval(timer);
}
