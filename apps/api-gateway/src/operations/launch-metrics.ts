import { Gauge, type Logger, type Registry } from '@launch/platform';
import type { GatewayDatabase } from '@launch/prisma-api-gateway';

const OPEN = `
  SELECT status, count(*) AS launches, extract(epoch FROM now() - min(updated_at)) AS oldest FROM launch
  WHERE status IN ('reserved', 'admitting', 'authorized', 'awaiting_wallet_signature', 'submitted') GROUP BY status`;
const UNTOLD = `SELECT count(*) AS hints FROM transaction_hint h JOIN launch l USING (launch_id)
  WHERE h.delivered_at IS NULL AND l.status IN ('authorized', 'awaiting_wallet_signature', 'submitted')`;

/**
 * What an operator watches: how many launches wait in each open state, how long the oldest has not moved, and hints
 * no observation was told of. Read from the database when scraped; while it is away the series are absent.
 */
export function measureLaunches(database: GatewayDatabase, registry: Registry, logger: Logger): void {
  const open = new Gauge({ name: 'launches_unfinished', help: 'Open launches by status.', labelNames: ['status'], registers: [registry], collect });
  const oldest = new Gauge({ name: 'launches_unfinished_oldest_seconds', help: 'Seconds since the least recently moved open launch moved.', labelNames: ['status'], registers: [registry] });
  const untold = new Gauge({ name: 'transaction_hints_undelivered', help: 'Hints that no observation was told of yet.', registers: [registry] });

  async function collect(): Promise<void> {
    for (const gauge of [open, oldest, untold]) gauge.reset();
    try {
      const [launches, [hints]] = await Promise.all([
        database.query<{ status: string; launches: string; oldest: string }>(OPEN),
        database.query<{ hints: string }>(UNTOLD),
      ]);
      for (const row of launches) {
        open.set({ status: row.status }, Number(row.launches));
        oldest.set({ status: row.status }, Number(row.oldest));
      }
      untold.set(Number(hints?.hints ?? 0));
    } catch (error) {
      logger.warn({ err: error }, 'launches could not be counted');
    }
  }
}
