import { ApiError } from '@launch/http';

/**
 * Runs at most so many reads at once. Further ones wait in a line of bounded length, in their order; one that finds the
 * line full is refused. So the most expensive public reads leave connections to all others.
 */
export class BoundedReads {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly atOnce: number,
    private readonly inLine: number,
  ) {}

  /** @throws ApiError `SERVICE_UNAVAILABLE` where the line is full, and what the read throws. */
  async run<T>(read: () => Promise<T>): Promise<T> {
    if (this.running >= this.atOnce) await this.standInLine();
    else this.running += 1;
    try {
      return await read();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.running -= 1;
      // The place is handed on.
      else next();
    }
  }

  private standInLine(): Promise<void> {
    if (this.waiting.length >= this.inLine) throw new ApiError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 });
    return new Promise((resolve) => void this.waiting.push(resolve));
  }
}
