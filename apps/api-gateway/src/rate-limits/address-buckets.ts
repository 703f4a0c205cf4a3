import { emissionIntervalMs, quotaState, type Quota, type QuotaState } from './quotas.js';

const MAX_BUCKETS = 50_000;

/**
 * Buckets by client address, in this process: anonymous traffic must not be able to load the database.
 * Several gateways therefore grant each address its quota once each.
 */
export class AddressBuckets {
  private readonly arrivals = new Map<string, number>();

  /** @param now milliseconds of a clock that never steps back: a corrected wall clock must lock nobody out. */
  take(address: string, quota: Quota, now: number): QuotaState {
    const interval = emissionIntervalMs(quota);
    const arrival = Math.max(this.arrivals.get(address) ?? 0, now);
    if (arrival + interval - now > interval * quota.burst) return quotaState(quota, false, arrival - now);
    // Re-inserted last, so that the oldest visitors are the first to be forgotten.
    this.arrivals.delete(address);
    this.arrivals.set(address, arrival + interval);
    if (this.arrivals.size > MAX_BUCKETS) this.forget(now);
    return quotaState(quota, true, arrival + interval - now);
  }

  private forget(now: number): void {
    for (const [address, arrival] of this.arrivals) if (arrival <= now) this.arrivals.delete(address);
    for (const address of this.arrivals.keys()) {
      if (this.arrivals.size <= MAX_BUCKETS) return;
      this.arrivals.delete(address);
    }
  }
}
