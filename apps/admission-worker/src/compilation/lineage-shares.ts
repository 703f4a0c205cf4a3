import { ApplicationFailure } from '@temporalio/common';

const RETRY_MS = 2_000;

/** Type of the failure of work whose lineage has its share already; the server tries it again soon. */
const SHARE_TAKEN = 'COMPILATION_SHARE_TAKEN';
export const isShareTaken = (error: unknown): boolean =>
  error instanceof ApplicationFailure && error.type === SHARE_TAKEN;

/** Keeps a place free for others: one lineage has at most so many of the places at a time. */
export class LineageShares {
  private readonly running = new Map<string, number>();

  constructor(private readonly share: number) {}

  /** @throws ApplicationFailure `COMPILATION_SHARE_TAKEN` while the lineage runs as many as its share. */
  async run<T>(lineage: string, work: () => Promise<T>): Promise<T> {
    const running = this.running.get(lineage) ?? 0;
    if (running >= this.share)
      throw ApplicationFailure.create({
        type: SHARE_TAKEN,
        message: 'other compilations of this lineage run; the place is kept for others',
        nextRetryDelay: RETRY_MS,
      });
    this.running.set(lineage, running + 1);
    try {
      return await work();
    } finally {
      const left = (this.running.get(lineage) ?? 1) - 1;
      if (left === 0) this.running.delete(lineage);
      else this.running.set(lineage, left);
    }
  }
}
