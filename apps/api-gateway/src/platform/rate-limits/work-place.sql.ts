import { statement } from '@launch/platform';
import { z } from 'zod';

const NOW = 'statement_timestamp()';
/** Slots whose lease has not ended. */
const HELD = `array(SELECT ends FROM unnest(held.ends_at) AS ends WHERE ends > ${NOW})`;

/** The number of requested slots that are still free. */
const FREE = `greatest($4 - cardinality(${HELD}), 0)`;

// Takes as many requested slots as are free, for many owners. Rows are locked in one order, so that two gateways never
// deadlock.
export const TAKE = statement({
  name: 'work-place.take',
  isPrepared: true,
  row: z.strictObject({ owner: z.string(), ends: z.string(), granted: z.int() }),
  text: `
  INSERT INTO work_place AS held (owner, ends_at)
  SELECT owner, array_fill(${NOW} + $3::bigint * interval '1 millisecond', ARRAY[least(asked, $4)])
  FROM unnest($1::text[], $2::int[]) AS wanted (owner, asked) ORDER BY owner
  ON CONFLICT (owner) DO UPDATE SET ends_at = ${HELD} || excluded.ends_at[:${FREE}]
  RETURNING held.owner, ends_at[cardinality(ends_at)]::text AS ends, cardinality(new.ends_at) - coalesce(cardinality(
    array(SELECT ends FROM unnest(old.ends_at) AS ends WHERE ends > ${NOW})), 0) AS granted`,
});

// Of slots that end at the same microsecond, as many are released as are named.
export const GIVE_BACK = statement({
  name: 'work-place.give-back',
  isPrepared: true,
  text: `
  WITH held AS (SELECT owner, ends_at FROM work_place WHERE owner = ANY($1::text[]) ORDER BY owner FOR UPDATE)
  UPDATE work_place SET ends_at = array(
    SELECT ends FROM (SELECT ends, row_number() OVER (PARTITION BY ends) AS nth FROM unnest(held.ends_at) AS ends) AS place
    WHERE nth > (SELECT count(*) FROM unnest($1::text[], $2::timestamptz[]) AS given (owner, ends)
      WHERE given.owner = held.owner AND given.ends = place.ends)
    ORDER BY ends)
  FROM held WHERE work_place.owner = held.owner`,
});

export const SWEEP = statement({
  name: 'work-place.sweep',
  text: `DELETE FROM work_place WHERE ${NOW} >= ALL (ends_at)`,
});
