/** The longest time between two polls of a launch under a watch, which bounds the age of its published state. */
const LONGEST_MS = 300_000;
/**
 * The fraction of the time until the finalized block passes the window that elapses before the next poll, because
 * finality advances in steps.
 */
const FRACTION = 4;

/**
 * Plans the milliseconds until the next poll of a launch without a known transaction while a watch of its router's
 * stamps would wake it. Its only other event is the end of its window, by the time of finalized blocks.
 * @param plannedMs the wait without a watch.
 * @param finalizedMs time of the lower finalized block, null if unknown; read only once the window is over.
 */
export function unsentWait(plannedMs: number, deadlineMs: number, finalizedMs: number | null, now: number): number {
  const left =
    now < deadlineMs ? deadlineMs - now : finalizedMs === null ? plannedMs : (deadlineMs - finalizedMs) / FRACTION;
  return Math.round(Math.min(LONGEST_MS, Math.max(plannedMs, left)));
}
