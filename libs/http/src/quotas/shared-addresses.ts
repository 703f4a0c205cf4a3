import { verdictsOf, type AddressBuckets, type Quota, type Verdict } from '@launch/platform/quotas';
import type { BucketCharge, Counted } from './shared-buckets.js';

/** Counts requests in the shared count of all gateways: as many of the requested ones as fit. */
export type CountTogether = (quota: Quota, charges: readonly BucketCharge[]) => Promise<ReadonlyMap<string, Counted>>;

/**
 * Charges buckets of addresses from the slots that this process holds, then from the shared count. Requests additional
 * slots for persistent addresses.
 */
export class SharedAddresses {
  /** @param now microseconds of the clock of `addresses`. */
  constructor(
    private readonly addresses: AddressBuckets,
    private readonly count: CountTogether,
    private readonly now: () => number,
  ) {}

  /** Returns the verdicts by bucket, each in the order of the requests. */
  async charge(quota: Quota, charges: readonly BucketCharge[]): Promise<ReadonlyMap<string, readonly Verdict[]>> {
    const at = this.now();
    const verdicts = new Map(charges.map(({ bucket, asked }) => [bucket, this.outOfHeld(quota, bucket, asked, at)]));
    const missing = new Map<string, number>();
    for (const { bucket, asked } of charges) {
      const more = asked - (verdicts.get(bucket)?.length ?? 0);
      if (more > 0) missing.set(bucket, more);
    }
    if (missing.size === 0) return verdicts;
    const counted = await this.count(
      quota,
      [...missing].map(([bucket, asked]) => ({
        bucket,
        asked: asked + this.addresses.worthHolding(bucket, quota, at),
      })),
    );
    for (const [bucket, { before, after }] of counted) {
      const shared = verdictsOf(quota, missing.get(bucket) ?? 0, before, after);
      verdicts.get(bucket)?.push(...shared);
      this.addresses.learn(bucket, shared.at(-1)?.aheadMicros ?? after, at, after);
    }
    return verdicts;
  }

  /** Serves the requests that arrived during the query from the held slots. */
  private outOfHeld(quota: Quota, bucket: string, asked: number, now: number): Verdict[] {
    const verdicts: Verdict[] = [];
    while (verdicts.length < asked) {
      const verdict = this.addresses.takeHeld(bucket, quota, now);
      if (verdict === null) break;
      verdicts.push(verdict);
    }
    return verdicts;
  }
}
