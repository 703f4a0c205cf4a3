import { Inject, Injectable } from '@nestjs/common';
import { Gathering } from '@launch/platform';
import type { GatewayDatabase } from '@launch/prisma-api-gateway';
import { GATEWAY_DATABASE } from '../tokens.js';
import {
  type BucketCharge,
  capacityMicros,
  type Counted,
  emissionMicros,
  type Quota,
  quotaState,
  type QuotaState,
  type SharedBuckets,
  type Verdict,
  verdictsOf,
} from '@launch/http';

const NOW = 'statement_timestamp()';
const MICROS = (micros: string): string => `${micros} * interval '1 microsecond'`;
const micros = (span: string): string => `extract(epoch FROM ${span}) * 1000000`;
const full = (capacity: string): string => `${NOW} + ${MICROS(`${capacity}::bigint`)}`;
const FULL = full('$4');
/** Bounds an arrival by a full bucket: neither another quota nor a clock that was set back locks a caller out for longer. */
const arrival = (column: string, end = FULL): string => `least(greatest(${column}, ${NOW}), ${end})`;

// Grants as many requests as fit, for many buckets of one quota. The statement reads the requested number from the row
// that it would have inserted. Rows are locked in one order, so that two gateways never deadlock.
const CHARGE = `
  INSERT INTO rate_bucket AS held (bucket, arrival_at)
  SELECT bucket, ${NOW} + ${MICROS('least(asked * $3::bigint, $4)')}
  FROM unnest($1::text[], $2::bigint[]) AS charge (bucket, asked) ORDER BY bucket
  ON CONFLICT (bucket) DO UPDATE SET arrival_at = ${arrival('held.arrival_at')} + ${MICROS(`$3 * least(
    floor(${micros(`${FULL} - ${arrival('held.arrival_at')}`)} / $3), ${micros(`excluded.arrival_at - ${NOW}`)} / $3)`)}
  RETURNING held.bucket, ${micros(`${arrival(`coalesce(old.arrival_at, ${NOW})`)} - ${NOW}`)} AS before, ${micros(`new.arrival_at - ${NOW}`)} AS after`;
const UNITS_FULL = full('$2');
const unitsArrival = (column: string): string => arrival(column, UNITS_FULL);
const UNITS = MICROS('$3::bigint');
/** Takes all of $3 microseconds or none from the bucket $1 of capacity $2. A bucket without room for them stays unchanged. */
const TAKE_UNITS = `
  INSERT INTO rate_bucket AS held (bucket, arrival_at) VALUES ($1, ${NOW} + ${UNITS})
  ON CONFLICT (bucket) DO UPDATE SET arrival_at = CASE WHEN ${unitsArrival('held.arrival_at')} + ${UNITS} <= ${UNITS_FULL}
    THEN ${unitsArrival('held.arrival_at')} + ${UNITS} ELSE held.arrival_at END
  RETURNING old.arrival_at IS NULL OR old.arrival_at <> new.arrival_at AS allowed,
    ${micros(`${unitsArrival('new.arrival_at')} - ${NOW}`)} AS ahead`;
const PEEK = `SELECT ${micros(`${unitsArrival('arrival_at')} - ${NOW}`)} AS ahead FROM rate_bucket WHERE bucket = $1`;
const GIVE_BACK = `UPDATE rate_bucket SET arrival_at = arrival_at - ${MICROS('$2::bigint')} WHERE bucket = $1`;
const SWEEP = `
  DELETE FROM rate_bucket WHERE bucket IN (
    SELECT bucket FROM rate_bucket WHERE arrival_at < now() - interval '1 minute' LIMIT $1 FOR UPDATE SKIP LOCKED)
  RETURNING 1`;
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
    const rows = await this.database.query<{ bucket: string; before: string; after: string }>(
      CHARGE,
      [
        charges.map(({ bucket }) => bucket),
        charges.map(({ asked }) => asked),
        emissionMicros(quota),
        capacityMicros(quota),
      ],
      'prepared',
    );
    return new Map(rows.map(({ bucket, before, after }) => [bucket, { before: Number(before), after: Number(after) }]));
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
    const [row] = await this.database.query<{ allowed: boolean; ahead: string }>(
      TAKE_UNITS,
      [bucket, capacity, asked],
      'prepared',
    );
    if (row === undefined) throw new TypeError('a charge answers one row');
    return quotaState(quota, { allowed: row.allowed, aheadMicros: Number(row.ahead) }, units);
  }

  async peekUnits(bucket: string, quota: Quota, units: number): Promise<QuotaState> {
    const capacity = capacityMicros(quota);
    const [row] = await this.database.query<{ ahead: string }>(PEEK, [bucket, capacity], 'prepared');
    const aheadMicros = Number(row?.ahead ?? 0);
    return quotaState(quota, { allowed: aheadMicros + emissionMicros(quota) * units <= capacity, aheadMicros }, units);
  }

  async giveBackUnits(bucket: string, quota: Quota, units: number): Promise<void> {
    await this.database.query(GIVE_BACK, [bucket, emissionMicros(quota) * units], 'prepared');
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
