export interface StartQueueOptions {
  /** Starts under way at a time. */
  readonly lanes: number;
  /** How long a start gives way to requests at most. */
  readonly giveWayMs: number;
}

interface Waiting {
  readonly start: () => Promise<void>;
  /** When it gives way no longer, by `performance.now()`. */
  readonly dueAt: number;
}

/**
 * Starts that nobody waits for: a few at a time, and after the requests that are being worked on, for which somebody
 * waits. A start gives way for a bounded time. What is lost with the process, the relay's sweep finds again.
 */
export class StartQueue {
  private readonly waiting: Waiting[] = [];
  private readonly running = new Set<Promise<void>>();
  private requests = 0;
  private timer: NodeJS.Timeout | undefined;
  private draining = false;

  constructor(private readonly options: StartQueueOptions) {}

  /** Takes a start, which never rejects. */
  add(start: () => Promise<void>): void {
    this.waiting.push({ start, dueAt: performance.now() + this.options.giveWayMs });
    this.next();
  }

  /** Does what somebody waits for, before any start that is not under way. */
  async first<T>(request: () => Promise<T>): Promise<T> {
    this.requests += 1;
    try {
      return await request();
    } finally {
      this.requests -= 1;
      this.next();
    }
  }

  /** Resolves once everything that was added has been done; nothing gives way any more. */
  async drain(): Promise<void> {
    this.draining = true;
    this.next();
    while (this.running.size > 0) await Promise.all(this.running);
  }

  private next(): void {
    clearTimeout(this.timer);
    while (this.running.size < this.options.lanes) {
      const head = this.waiting[0];
      if (head === undefined) return;
      const early = head.dueAt - performance.now();
      if (this.requests > 0 && early > 0 && !this.draining) {
        this.timer = setTimeout(() => this.next(), Math.ceil(early));
        return;
      }
      this.waiting.shift();
      const run = head.start().finally(() => {
        this.running.delete(run);
        this.next();
      });
      this.running.add(run);
    }
  }
}
