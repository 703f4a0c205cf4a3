import { statement } from '@launch/platform';
import { z } from 'zod';

const NOW = 'statement_timestamp()';
const MICROS = (micros: string): string => `${micros} * interval '1 microsecond'`;
const micros = (span: string): string => `extract(epoch FROM ${span}) * 1000000`;
const full = (capacity: string): string => `${NOW} + ${MICROS(`${capacity}::bigint`)}`;
const FULL = full('$4');
/** Bounds an arrival by a full bucket: neither another quota nor a clock that was set back locks a caller out for longer. */
const arrival = (column: string, end = FULL): string => `least(greatest(${column}, ${NOW}), ${end})`;
/** Microseconds, which PostgreSQL returns as a numeric. */
const microsColumn = z.string().transform(Number);

// Grants as many requests as fit, for many buckets of one quota. The statement reads the requested number from the row
// that it would have inserted. Rows are locked in one order, so that two gateways never deadlock.
export const CHARGE = statement({
  name: 'rate-bucket.charge',
  isPrepared: true,
  row: z.strictObject({ bucket: z.string(), before: microsColumn, after: microsColumn }),
  text: `
  INSERT INTO rate_bucket AS held (bucket, arrival_at)
  SELECT bucket, ${NOW} + ${MICROS('least(asked * $3::bigint, $4)')}
  FROM unnest($1::text[], $2::bigint[]) AS charge (bucket, asked) ORDER BY bucket
  ON CONFLICT (bucket) DO UPDATE SET arrival_at = ${arrival('held.arrival_at')} + ${MICROS(`$3 * least(
    floor(${micros(`${FULL} - ${arrival('held.arrival_at')}`)} / $3), ${micros(`excluded.arrival_at - ${NOW}`)} / $3)`)}
  RETURNING held.bucket, ${micros(`${arrival(`coalesce(old.arrival_at, ${NOW})`)} - ${NOW}`)} AS before, ${micros(`new.arrival_at - ${NOW}`)} AS after`,
});

const UNITS_FULL = full('$2');
const unitsArrival = (column: string): string => arrival(column, UNITS_FULL);
const UNITS = MICROS('$3::bigint');

/** Takes all of $3 microseconds or none from the bucket $1 of capacity $2. A bucket without room for them stays unchanged. */
export const TAKE_UNITS = statement({
  name: 'rate-bucket.take-units',
  isPrepared: true,
  row: z.strictObject({ allowed: z.boolean(), ahead: microsColumn }),
  text: `
  INSERT INTO rate_bucket AS held (bucket, arrival_at) VALUES ($1, ${NOW} + ${UNITS})
  ON CONFLICT (bucket) DO UPDATE SET arrival_at = CASE WHEN ${unitsArrival('held.arrival_at')} + ${UNITS} <= ${UNITS_FULL}
    THEN ${unitsArrival('held.arrival_at')} + ${UNITS} ELSE held.arrival_at END
  RETURNING old.arrival_at IS NULL OR old.arrival_at <> new.arrival_at AS allowed,
    ${micros(`${unitsArrival('new.arrival_at')} - ${NOW}`)} AS ahead`,
});

export const PEEK = statement({
  name: 'rate-bucket.peek',
  isPrepared: true,
  row: z.strictObject({ ahead: microsColumn }),
  text: `SELECT ${micros(`${unitsArrival('arrival_at')} - ${NOW}`)} AS ahead FROM rate_bucket WHERE bucket = $1`,
});

export const GIVE_BACK = statement({
  name: 'rate-bucket.give-back',
  isPrepared: true,
  text: `UPDATE rate_bucket SET arrival_at = arrival_at - ${MICROS('$2::bigint')} WHERE bucket = $1`,
});

export const SWEEP = statement({
  name: 'rate-bucket.sweep',
  text: `
  DELETE FROM rate_bucket WHERE bucket IN (
    SELECT bucket FROM rate_bucket WHERE arrival_at < now() - interval '1 minute' LIMIT $1 FOR UPDATE SKIP LOCKED)
  RETURNING 1`,
});
