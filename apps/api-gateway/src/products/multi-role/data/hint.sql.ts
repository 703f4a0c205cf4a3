import { statement } from '@launch/platform';
import { z } from 'zod';

/** The launch's row is locked, so that the bound of its hints holds under concurrency. */
export const LOCK_LAUNCH = statement({
  name: 'hint.lock-launch',
  text: 'SELECT 1 FROM launch WHERE launch_id = $1 FOR UPDATE',
});

export const HELD = statement({
  name: 'hint.held',
  row: z.strictObject({ transactionHash: z.string(), registeredAt: z.date(), source: z.string() }),
  text: `SELECT transaction_hash AS "transactionHash", registered_at AS "registeredAt", source FROM transaction_hint
  WHERE launch_id = $1`,
});

export const REGISTER = statement({
  name: 'hint.register',
  row: z.strictObject({ registeredAt: z.date() }),
  text: `INSERT INTO transaction_hint (launch_id, transaction_hash) VALUES ($1, $2) RETURNING registered_at AS "registeredAt"`,
});
