import type { Pool } from 'pg';

const STARTED_POLL_MS = 5;
const NOT_STARTED = `SELECT count(*)::int AS left FROM launch WHERE launch_id = ANY($1) AND admission_started_at IS NULL`;

/** Resolves once the workflow of each of these launches has started. */
export async function allStarted(database: Pool, launchIds: readonly string[]): Promise<void> {
  for (;;) {
    const { rows } = await database.query<{ left: number }>(NOT_STARTED, [launchIds]);
    if (rows[0]?.left === 0) return;
    await new Promise((resolve) => setTimeout(resolve, STARTED_POLL_MS));
  }
}
