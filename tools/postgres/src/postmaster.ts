import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { isProcessAlive } from '@launch/platform/processes';

/** The contents of a running server's `postmaster.pid`. */
export interface Postmaster {
  pid: number;
  port: number;
}

/** The server that a data folder's pid file names, if such a process exists. The file itself is PostgreSQL's to remove. */
export async function readPostmaster(place: string): Promise<Postmaster | undefined> {
  const text = await readFile(path.join(place, 'postmaster.pid'), 'utf8').catch(() => undefined);
  const [pid, , , port] = (text ?? '').split('\n');
  const found = { pid: Number(pid), port: Number(port) };
  if (!Number.isSafeInteger(found.pid) || found.pid <= 1 || !Number.isSafeInteger(found.port) || found.port <= 0)
    return undefined;
  return isProcessAlive(found.pid) ? found : undefined;
}

/** One administrator's session for the time of `work`. */
export async function withClient<T>(connectionString: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 });
  // A server that goes away in mid-session is reported by the query, not by an unhandled event.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** True when the server answers our own login and serves this very folder. */
export async function servesFolder(adminUrl: string, place: string): Promise<boolean> {
  try {
    const folder = await withClient(
      adminUrl,
      async (client) => (await client.query<{ data_directory: string }>('SHOW data_directory')).rows[0]?.data_directory,
    );
    return folder === place;
  } catch {
    return false;
  }
}

/** Waits until `ready` holds; false when `giveUp` says so or the time is over. */
export async function waitUntil(
  ready: () => Promise<boolean>,
  giveUp: () => boolean,
  timeoutMs: number,
): Promise<boolean> {
  const until = Date.now() + timeoutMs;
  while (Date.now() < until) {
    if (await ready()) return true;
    if (giveUp()) return false;
    await sleep(40);
  }
  return false;
}
