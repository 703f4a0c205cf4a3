import { capacityMicros, emissionMicros, type Quota, type Verdict } from './quotas.js';

const MAX_BUCKETS = 50_000;

/**
 * Buckets of addresses as this process knows them: whoever is over a quota here is refused without asking anybody, and
 * while nobody answers, this count is the verdict. Times are microseconds of a clock that never steps back.
 */
export class AddressBuckets {
  private readonly arrivals = new Map<string, number>();

  constructor(private readonly maxBuckets = MAX_BUCKETS) {}

  /** Counts a request if it fits. */
  take(bucket: string, quota: Quota, now: number): Verdict {
    const verdict = this.peek(bucket, quota, now);
    // A refused one is remembered anew as well: who keeps asking is not the one to be forgotten.
    this.learn(bucket, verdict.aheadMicros, now);
    return verdict;
  }

  /** What `take` would say; counts nothing. */
  peek(bucket: string, quota: Quota, now: number): Verdict {
    const ahead = Math.max(this.arrivals.get(bucket) ?? 0, now) - now;
    const counted = ahead + emissionMicros(quota);
    return counted > capacityMicros(quota) ? { allowed: false, aheadMicros: ahead } : { allowed: true, aheadMicros: counted };
  }

  /** Takes over how far ahead a bucket is. The oldest visitor is forgotten when there are too many. */
  learn(bucket: string, aheadMicros: number, now: number): void {
    this.arrivals.delete(bucket);
    this.arrivals.set(bucket, now + aheadMicros);
    if (this.arrivals.size <= this.maxBuckets) return;
    for (const oldest of this.arrivals.keys()) {
      this.arrivals.delete(oldest);
      return;
    }
  }
}
