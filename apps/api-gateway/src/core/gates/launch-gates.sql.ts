import { statement } from '@launch/platform';
import { z } from 'zod';

/** The last change of each gate. */
export const LATEST = statement({
  name: 'launch-gates.latest',
  isPrepared: true,
  row: z.strictObject({ gate: z.string(), isOpen: z.boolean() }),
  text: 'SELECT DISTINCT ON (gate) gate, is_open AS "isOpen" FROM launch_gate ORDER BY gate, change DESC',
});

/** Serialises changes, so that each is compared with the one before it. */
export const LOCK = statement({
  name: 'launch-gates.lock',
  text: `SELECT pg_advisory_xact_lock(hashtextextended('launch gates', 0))`,
});

export const CHANGE = statement({
  name: 'launch-gates.change',
  text: `INSERT INTO launch_gate (change, gate, is_open, set_by, set_at)
  VALUES ((SELECT coalesce(max(change), 0) + 1 FROM launch_gate), $1, $2, $3, clock_timestamp())`,
});
