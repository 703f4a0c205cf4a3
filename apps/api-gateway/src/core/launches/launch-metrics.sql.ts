import { statement } from '@launch/platform';
import { z } from 'zod';

// Ages are by the database's clock, and counted where the rows are.
export const OPEN = statement({
  name: 'launch-metrics.open',
  row: z.strictObject({
    status: z.string(),
    launches: z.string().transform(Number),
    oldest: z.string().transform(Number),
  }),
  text: `
  SELECT status, count(*) AS launches, extract(epoch FROM now() - min(updated_at)) AS oldest FROM launch
  WHERE status = ANY($1::text[]) GROUP BY status`,
});

export const UNDELIVERED = statement({
  name: 'launch-metrics.undelivered',
  row: z.strictObject({ hints: z.string().transform(Number) }),
  text: `SELECT count(*) AS hints FROM transaction_hint h JOIN launch l USING (launch_id)
  WHERE h.delivered_at IS NULL AND l.status = ANY($1)`,
});
