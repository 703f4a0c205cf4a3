import { ApiError } from '@launch/http';

/**
 * Bounds the number of concurrent reads. Further reads wait in order in a bounded queue; a read that finds the queue full
 * is refused. So the most expensive public reads leave connections to all others.
 */
export class BoundedReads {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly atOnce: number,
    private readonly inLine: number,
  ) {}

  /** @throws ApiError `SERVICE_UNAVAILABLE` when the queue is full, and the error of the read. */
  async run<T>(read: () => Promise<T>): Promise<T> {
    if (this.running >= this.atOnce) await this.standInLine();
    else this.running += 1;
    try {
      return await read();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.running -= 1;
      // Passes the slot on.
      else next();
    }
  }

  private standInLine(): Promise<void> {
    if (this.waiting.length >= this.inLine) throw new ApiError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 });
    return new Promise((resolve) => void this.waiting.push(resolve));
  }
}
