import { ApplicationFailure } from '@temporalio/common';

const RETRY_MS = 2_000;

/** Failure type for a lineage that already uses its share; the server retries soon. */
const SHARE_TAKEN = 'COMPILATION_SHARE_TAKEN';
export const isShareTaken = (error: unknown): boolean =>
  error instanceof ApplicationFailure && error.type === SHARE_TAKEN;

/** Keeps places free for others: limits the places of one lineage. */
export class LineageShares {
  private readonly running = new Map<string, number>();

  constructor(private readonly share: number) {}

  /**
   * Runs work of a lineage. @throws ApplicationFailure `COMPILATION_SHARE_TAKEN` while the lineage uses its whole
   * share.
   */
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
