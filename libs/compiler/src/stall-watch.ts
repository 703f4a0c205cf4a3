/** Processor time, ms, that counts as progress. The guard thread alone uses a quarter of it in a minute. */
export const PROGRESS_MS = 500;

/**
 * Detects a job that does nothing. A job that waits for a core on a busy machine still gets some processor time, and
 * its own bound ends it. A job that hangs without any has no other end.
 */
export class StallWatch {
  private readonly timer: NodeJS.Timeout;
  private seenMs = 0;

  /** @param stallMs wall-clock time, ms, within which a job must use `PROGRESS_MS`. */
  constructor(stallMs: number, onStall: () => void) {
    this.timer = setTimeout(onStall, stallMs);
  }

  /** Records the total processor time of the process, in ms. */
  observe(usedMs: number): void {
    if (usedMs < this.seenMs + PROGRESS_MS) return;
    this.seenMs = usedMs;
    this.timer.refresh();
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}
