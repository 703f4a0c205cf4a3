import { OBSERVED_STATUSES } from '@launch/contracts/states';
import { Gauge, type Logger, type Registry } from '@launch/platform';
import type { GatewayDatabase } from '@launch/prisma-api-gateway';
import { OPEN_STATUSES } from './launch-families.js';
import { OPEN, UNDELIVERED } from './launch-metrics.sql.js';

/** Milliseconds between two counts of launches, however often this process is scraped. */
const KEEP_MS = 5_000;
/** Timeout of a scrape's query. */
const ANSWER_MS = 1_000;

interface Counted {
  readonly launches: readonly { readonly status: string; readonly launches: number; readonly oldest: number }[];
  readonly undelivered: number;
}

/**
 * Registers the metrics of open launches: how many wait in each open state, how long the oldest has not moved, and how
 * many hints are undelivered. They are read from the database when scraped, and absent while it does not answer.
 */
export function measureLaunches(database: GatewayDatabase, registry: Registry, logger: Logger): void {
  const count = async (): Promise<Counted | null> => {
    try {
      const [launches, [hints]] = await Promise.all([
        database.query(OPEN, [OPEN_STATUSES]),
        database.query(UNDELIVERED, [OBSERVED_STATUSES]),
      ]);
      return { launches, undelivered: hints?.hints ?? 0 };
    } catch (error) {
      logger.warn({ err: error }, 'launches could not be counted');
      return null;
    }
  };
  let latest: { readonly at: number; readonly counted: Promise<Counted | null>; done: boolean } | null = null;
  /** Reads the counts once for all series and for scrapes that follow closely. */
  const counted = (): Promise<Counted | null> => {
    if (latest === null || (latest.done && performance.now() - latest.at > KEEP_MS)) {
      const begun = { at: performance.now(), counted: count(), done: false };
      void begun.counted.then(() => (begun.done = true));
      latest = begun;
    }
    return Promise.race([
      latest.counted,
      new Promise<null>((resolve) => void setTimeout(() => resolve(null), ANSWER_MS).unref()),
    ]);
  };
  const gauge = (
    name: string,
    help: string,
    labelNames: readonly string[],
    set: (one: Gauge, counted: Counted) => void,
  ): void => {
    const one: Gauge = new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        const answer = await counted();
        one.reset();
        if (answer === null) one.remove({});
        else set(one, answer);
      },
    });
  };
  gauge('launch_open_launches', 'Open launches by status.', ['status'], (one, { launches }) => {
    for (const row of launches) one.set({ status: row.status }, row.launches);
  });
  gauge(
    'launch_open_oldest_seconds',
    'Seconds since the least recently moved open launch moved.',
    ['status'],
    (one, { launches }) => {
      for (const row of launches) one.set({ status: row.status }, row.oldest);
    },
  );
  gauge('launch_hints_undelivered', 'Hints not yet delivered to an observation.', [], (one, { undelivered }) =>
    one.set(undelivered),
  );
}
