/** The longest time between two looks at a launch that the watch would wake: what its owner reads is at most this old. */
const LONGEST_MS = 300_000;
/** Of the time until the finalized block is past the window, the part that passes before the next look: finality comes in steps. */
const FRACTION = 4;

/**
 * Milliseconds until the next look at a launch of which no transaction is known, while a watch of its router's stamps
 * would wake it. Nothing else can happen to it than that its window passes, and that counts when finalized blocks say so.
 * @param plannedMs what would be waited without a watch.
 * @param finalizedMs time of the lower finalized block, null while nobody says; asked only once the window is over.
 */
export function unsentWait(plannedMs: number, deadlineMs: number, finalizedMs: number | null, now: number): number {
  const left =
    now < deadlineMs ? deadlineMs - now : finalizedMs === null ? plannedMs : (deadlineMs - finalizedMs) / FRACTION;
  return Math.round(Math.min(LONGEST_MS, Math.max(plannedMs, left)));
}
