import { Inject, Injectable } from '@nestjs/common';
import { Gathering } from '@launch/platform';
import type { GatewayDatabase } from '@launch/prisma-api-gateway';
import { GATEWAY_DATABASE } from '../tokens.js';
import type { BucketCharge, Counted, SharedBuckets } from '@launch/http';
import {
  capacityMicros,
  emissionMicros,
  type Quota,
  quotaState,
  type QuotaState,
  type Verdict,
  verdictsOf,
} from '@launch/platform/quotas';
import { CHARGE, GIVE_BACK, PEEK, SWEEP, TAKE_UNITS } from './rate-bucket.sql.js';

/** Few enough that no request waits long for the lock of a row that is being deleted. */
const SWEPT_AT_ONCE = 5_000;

/** Stores buckets that every gateway shares, one row each. */
@Injectable()
export class RateBucketRepository implements SharedBuckets {
  /** Statements in flight at the same time belong to different quotas: each locks its rows in one order. */
  private readonly taking = new Map<Quota, Gathering<string, Verdict>>();

  constructor(@Inject(GATEWAY_DATABASE) private readonly database: GatewayDatabase) {}

  /** Counts, for each bucket, as many requests as fit, atomically, in one statement. */
  async count(quota: Quota, charges: readonly BucketCharge[]): Promise<ReadonlyMap<string, Counted>> {
    const rows = await this.database.query(CHARGE, [
      charges.map(({ bucket }) => bucket),
      charges.map(({ asked }) => asked),
      emissionMicros(quota),
      capacityMicros(quota),
    ]);
    return new Map(rows.map(({ bucket, before, after }) => [bucket, { before, after }]));
  }

  /** Counts likewise and returns the verdicts of each bucket in order. */
  async charge(quota: Quota, charges: readonly BucketCharge[]): Promise<ReadonlyMap<string, readonly Verdict[]>> {
    const asked = new Map(charges.map((charge) => [charge.bucket, charge.asked]));
    const counted = await this.count(quota, charges);
    return new Map(
      [...counted].map(([bucket, { before, after }]) => [
        bucket,
        verdictsOf(quota, asked.get(bucket) ?? 0, before, after),
      ]),
    );
  }

  /** Counts one request. Requests that arrive while a statement is in flight are counted together by the next one. */
  async take(bucket: string, quota: Quota): Promise<QuotaState> {
    let taking = this.taking.get(quota);
    if (taking === undefined) {
      taking = new Gathering((buckets) => this.chargeInTurn(quota, buckets));
      this.taking.set(quota, taking);
    }
    return quotaState(quota, await taking.ask(bucket));
  }

  async takeUnits(bucket: string, quota: Quota, units: number): Promise<QuotaState> {
    const capacity = capacityMicros(quota);
    const asked = emissionMicros(quota) * units;
    // A charge above the capacity never fits, but the statement would insert it into a bucket that has no row.
    if (asked > capacity) return quotaState(quota, { allowed: false, aheadMicros: capacity }, units);
    const [row] = await this.database.query(TAKE_UNITS, [bucket, capacity, asked]);
    if (row === undefined) throw new TypeError('a charge answers one row');
    return quotaState(quota, { allowed: row.allowed, aheadMicros: row.ahead }, units);
  }

  async peekUnits(bucket: string, quota: Quota, units: number): Promise<QuotaState> {
    const capacity = capacityMicros(quota);
    const [row] = await this.database.query(PEEK, [bucket, capacity]);
    const aheadMicros = row?.ahead ?? 0;
    return quotaState(quota, { allowed: aheadMicros + emissionMicros(quota) * units <= capacity, aheadMicros }, units);
  }

  async giveBackUnits(bucket: string, quota: Quota, units: number): Promise<void> {
    await this.database.query(GIVE_BACK, [bucket, emissionMicros(quota) * units]);
  }

  /** Returns the verdict on each request, in order. */
  private async chargeInTurn(quota: Quota, buckets: readonly string[]): Promise<readonly Verdict[]> {
    const asked = new Map<string, number>();
    for (const bucket of buckets) asked.set(bucket, (asked.get(bucket) ?? 0) + 1);
    const charged = await this.charge(
      quota,
      [...asked].map(([bucket, count]) => ({ bucket, asked: count })),
    );
    const left = new Map([...charged].map(([bucket, verdicts]) => [bucket, verdicts.values()]));
    return buckets.map((bucket) => {
      const next = left.get(bucket)?.next();
      if (next === undefined || next.done === true) throw new TypeError('a charged bucket has a verdict');
      return next.value;
    });
  }

  /** Deletes buckets that have long been full again. */
  async sweep(): Promise<void> {
    for (let swept = SWEPT_AT_ONCE; swept === SWEPT_AT_ONCE;)
      swept = (await this.database.query(SWEEP, [SWEPT_AT_ONCE])).length;
  }
}
