import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { PRISMA_SERVICES } from '@launch/prisma-tools';
import { SERVICE_NAMES } from '@launch/start';
import { Client } from 'pg';
import type { BenchStack } from '../stack/bench-stack.js';
import { costOf, type ProcessCost } from './process-costs.js';

/** The components that take part in a launch; the development chains, which replace observers, are not counted. */
const COMPONENTS = [...SERVICE_NAMES.filter((name) => name !== 'site'), 'postgres', 'temporal'] as const;
export type MeasuredComponent = (typeof COMPONENTS)[number];

/** Everything that a launch costs, at one moment. All values but memory only grow. */
export interface Reading {
  readonly atMs: number;
  readonly processes: ReadonlyMap<MeasuredComponent, ProcessCost>;
  /** Bytes by store: a database, `blobs`, or `temporal`. */
  readonly bytes: ReadonlyMap<string, number>;
  /** Observations of all launches so far. */
  readonly observations: number;
}

export async function readCosts(stack: BenchStack): Promise<Reading> {
  const processes = new Map<MeasuredComponent, ProcessCost>();
  for (const name of COMPONENTS) {
    const pid = stack.running.services.pid(name);
    if (pid !== undefined) processes.set(name, costOf(pid));
  }
  const bytes = new Map<string, number>();
  for (const { database } of PRISMA_SERVICES)
    bytes.set(database.replace('launch_', '').replaceAll('_', '-'), await databaseBytes(stack, database));
  bytes.set('blobs', await folderBytes(path.join(stack.dir, 'blobs')));
  return { atMs: Date.now(), processes, bytes, observations: await observationsOf(stack) };
}

/** Tables and indexes of the service, without the catalogue of the server. */
async function databaseBytes(stack: BenchStack, database: string): Promise<number> {
  const client = new Client({ connectionString: await stack.databaseUrl(database) });
  await client.connect();
  try {
    const { rows } = await client.query<{ bytes: string }>(
      `SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::text AS bytes
         FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE c.relkind = 'r' AND n.nspname NOT IN ('pg_catalog', 'information_schema')`,
    );
    return Number(rows[0]?.bytes ?? 0);
  } finally {
    await client.end();
  }
}

async function folderBytes(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    // Temporary files come and go.
    const found = await stat(path.join(entry.parentPath, entry.name)).catch(() => undefined);
    bytes += found?.size ?? 0;
  }
  return bytes;
}

async function observationsOf({ running }: BenchStack): Promise<number> {
  const response = await fetch(`${running.services.operationsUrl('finality-worker')}/metrics`);
  const lines = (await response.text()).split('\n');
  return lines
    .filter((line) => line.startsWith('launch_finality_observations_total'))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}
