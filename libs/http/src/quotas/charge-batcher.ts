import type { Verdict } from '@launch/platform/quotas';
import type { BucketCharge } from './shared-buckets.js';

/** Charges many buckets of one quota in one statement. */
export type ChargeTogether = (
  quota: string,
  charges: readonly BucketCharge[],
) => Promise<ReadonlyMap<string, readonly Verdict[]>>;

export interface BatcherBounds {
  /** The timeout of a verdict in milliseconds. */
  readonly answerMs: number;
  /** The pause after a failure in milliseconds, during which no statement is sent. */
  readonly restMs: number;
  /** The most requests that wait. */
  readonly waiting: number;
  /** The most buckets in one statement. */
  readonly bucketsAtOnce: number;
}

export const BATCHER_BOUNDS: Omit<BatcherBounds, 'answerMs'> = { restMs: 2_000, waiting: 10_000, bucketsAtOnce: 500 };

type Settle = (verdict: Verdict | null) => void;
type Waiting = Map<string, Settle[]>;

/**
 * Serves any number of anonymous requests with at most one database connection: while one statement is in flight, the
 * next charges gather, each bucket once. A caller without an answer in time gets null and decides locally.
 */
export class ChargeBatcher {
  private readonly waiting = new Map<string, Waiting>();
  private waiters = 0;
  /** The start of the statement in flight; null without one. */
  private since: number | null = null;
  private restUntil = 0;

  /** @param onFailure receives the error of a failed statement. */
  constructor(
    private readonly together: ChargeTogether,
    private readonly onFailure: (error: unknown) => void,
    private readonly bounds: BatcherBounds,
  ) {}

  /**
   * Returns the shared verdict on one request, or null if none arrives in time; null at once if none can be expected.
   */
  charge(quota: string, bucket: string): Promise<Verdict | null> {
    const now = performance.now();
    const hangs = this.since !== null && now - this.since > this.bounds.answerMs;
    if (hangs || now < this.restUntil || this.waiters >= this.bounds.waiting) return Promise.resolve(null);
    return new Promise((resolve) => {
      // In a busy process, an available answer takes precedence over the expired timer. A caller that no longer waits
      // was served and is still counted.
      const timer = setTimeout(() => setImmediate(resolve, null), this.bounds.answerMs);
      this.enqueue(quota, bucket, (verdict) => {
        clearTimeout(timer);
        resolve(verdict);
      });
      if (this.since === null) void this.work();
    });
  }

  private enqueue(quota: string, bucket: string, settle: Settle): void {
    let buckets = this.waiting.get(quota);
    if (buckets === undefined) this.waiting.set(quota, (buckets = new Map()));
    const settles = buckets.get(bucket);
    if (settles === undefined) buckets.set(bucket, [settle]);
    else settles.push(settle);
    this.waiters += 1;
  }

  private async work(): Promise<void> {
    for (let batch = this.next(); batch !== null; batch = this.next()) {
      this.since = performance.now();
      const { quota, asked } = batch;
      try {
        const verdicts = await this.together(
          quota,
          [...asked].map(([bucket, settles]) => ({ bucket, asked: settles.length })),
        );
        for (const [bucket, settles] of asked)
          settles.forEach((settle, index) => settle(verdicts.get(bucket)?.[index] ?? null));
      } catch (error) {
        this.restUntil = performance.now() + this.bounds.restMs;
        for (const settles of asked.values()) for (const settle of settles) settle(null);
        for (let rest = this.next(); rest !== null; rest = this.next())
          for (const settles of rest.asked.values()) for (const settle of settles) settle(null);
        this.onFailure(error);
      }
    }
    this.since = null;
  }

  /** Takes the quota that has waited longest, with as many of its buckets as one statement may contain. */
  private next(): { readonly quota: string; readonly asked: Waiting } | null {
    for (const [quota, buckets] of this.waiting) {
      this.waiting.delete(quota);
      const asked: Waiting = new Map();
      for (const [bucket, settles] of buckets) {
        if (asked.size === this.bounds.bucketsAtOnce) break;
        asked.set(bucket, settles);
        buckets.delete(bucket);
        this.waiters -= settles.length;
      }
      if (buckets.size > 0) this.waiting.set(quota, buckets);
      return { quota, asked };
    }
    return null;
  }
}
