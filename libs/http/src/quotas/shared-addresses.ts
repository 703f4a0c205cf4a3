import type { AddressBuckets } from './address-buckets.js';
import { verdictsOf, type Quota, type Verdict } from './quotas.js';
import type { BucketCharge, Counted } from './shared-buckets.js';

/** Counts requests where all gateways count: as many of those asked for as fit. */
export type CountTogether = (quota: Quota, charges: readonly BucketCharge[]) => Promise<ReadonlyMap<string, Counted>>;

/**
 * Charges buckets of addresses out of the slots this process holds, then at the shared count. For addresses that keep
 * coming, it asks that count for some slots more.
 */
export class SharedAddresses {
  /** @param now microseconds of the clock that `addresses` goes by. */
  constructor(
    private readonly addresses: AddressBuckets,
    private readonly count: CountTogether,
    private readonly now: () => number,
  ) {}

  /** The verdicts by bucket, each in the order of asking. */
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

  /** Those that came while the slots were being asked for. */
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
