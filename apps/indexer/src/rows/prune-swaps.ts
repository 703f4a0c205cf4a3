import { execute } from '@launch/platform';
import type { IndexerDatabase } from '@launch/prisma-indexer';
import { PRUNE } from './prune-swaps.sql.js';

/** Trades in one statement, which locks them briefly. */
const SWAPS_AT_ONCE = 5_000;
const DAY_MS = 86_400_000;

/**
 * Deletes trades that are older than the retention in batches, except the last trade of each coin, whose price it
 * defines at any age. Deletes holds of such old trades too.
 * @returns the number of deleted trades.
 */
export async function pruneSwaps(
  database: Pick<IndexerDatabase, '$executeRawUnsafe' | 'hold'>,
  retentionDays: number,
  signal: AbortSignal,
  now: () => number = Date.now,
): Promise<number> {
  const before = new Date(now() - retentionDays * DAY_MS);
  let removed = 0;
  for (let batch = SWAPS_AT_ONCE; batch === SWAPS_AT_ONCE && !signal.aborted; removed += batch)
    batch = await execute(database, PRUNE, [before, SWAPS_AT_ONCE]);
  await database.hold.deleteMany({ where: { subject: 'trades', cause: 'index', blockTime: { lt: before } } });
  return removed;
}

const EVERY_MS = 3_600_000;

/** Prunes trades every hour. Any number of workers may do so at once. @returns a function that stops it. */
export function keepPruned(prune: (signal: AbortSignal) => Promise<unknown>, onFailure: (error: unknown) => void) {
  const ends = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  const run = (): void => {
    running = prune(ends.signal).catch(onFailure);
  };
  const timer = setInterval(run, EVERY_MS);
  run();
  return async (): Promise<void> => {
    clearInterval(timer);
    ends.abort();
    await running;
  };
}
