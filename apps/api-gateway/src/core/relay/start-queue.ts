import { AsyncResource } from 'node:async_hooks';

export interface StartQueueOptions {
  /** Concurrent starts, at most. */
  readonly lanes: number;
  /** Milliseconds for which a start gives way to requests, at most. */
  readonly giveWayMs: number;
}

interface Waiting {
  readonly start: () => Promise<void>;
  /** Time from which the start no longer gives way, by `performance.now()`. */
  readonly dueAt: number;
}

/**
 * Runs background starts: a few at a time, and after the requests in flight, for which clients wait. A start gives way
 * for a bounded time. The relay's sweep recovers starts that are lost with the process.
 */
export class StartQueue {
  private readonly waiting: Waiting[] = [];
  private readonly running = new Set<Promise<void>>();
  private requests = 0;
  private timer: NodeJS.Timeout | undefined;
  private draining = false;

  constructor(private readonly options: StartQueueOptions) {}

  /** Queues a start, which must never reject. It runs in the caller's trace. */
  add(start: () => Promise<void>): void {
    this.waiting.push({ start: AsyncResource.bind(start), dueAt: performance.now() + this.options.giveWayMs });
    this.next();
  }

  /** Runs a request before every start that is not in flight. */
  async first<T>(request: () => Promise<T>): Promise<T> {
    this.requests += 1;
    try {
      return await request();
    } finally {
      this.requests -= 1;
      this.next();
    }
  }

  /** Resolves once all queued starts are done; starts no longer give way. */
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
