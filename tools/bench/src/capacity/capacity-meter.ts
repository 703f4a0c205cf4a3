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
  /** SQL statements by the role that sent them, without the begins and ends of transactions. */
  readonly statements: ReadonlyMap<string, number>;
  /** HTTP requests to observers by service; one can hold several calls of JSON-RPC. */
  readonly observerRequests: ReadonlyMap<MeasuredComponent, number>;
}

/** Services with observers. */
const OBSERVING = ['api-gateway', 'admission-worker', 'finality-worker', 'indexer'] as const;
/** The database whose view counts the statements of all databases. */
const COUNTING = 'postgres';

/** Makes PostgreSQL count statements from now on. It restarts. */
export async function countStatements(stack: BenchStack): Promise<void> {
  await ask(stack, COUNTING, "ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'");
  // A fast shutdown: it does not wait for the connections of the services.
  await stack.running.services.kill('postgres', 'SIGINT', { hold: true });
  await stack.running.services.resume('postgres');
  await ask(stack, COUNTING, 'CREATE EXTENSION pg_stat_statements');
}

export async function readCosts(stack: BenchStack): Promise<Reading> {
  const processes = new Map<MeasuredComponent, ProcessCost>();
  for (const name of COMPONENTS) {
    const pid = stack.running.services.pid(name);
    if (pid !== undefined) processes.set(name, costOf(pid));
  }
  const bytes = new Map<string, number>();
  for (const { database } of PRISMA_SERVICES) bytes.set(named(database), await databaseBytes(stack, database));
  bytes.set('blobs', await folderBytes(path.join(stack.dir, 'blobs')));
  const statements = await statementsByRole(stack);
  const observerRequests = new Map<MeasuredComponent, number>();
  for (const service of OBSERVING)
    observerRequests.set(service, await metricOf(stack, service, 'launch_observer_requests_total'));
  const observations = await metricOf(stack, 'finality-worker', 'launch_finality_observations_total');
  return { atMs: Date.now(), processes, bytes, observations, statements, observerRequests };
}

/** Tables and indexes of the service, without the catalogue of the server. */
async function databaseBytes(stack: BenchStack, database: string): Promise<number> {
  const rows = await ask(
    stack,
    database,
    `SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::text AS bytes
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind = 'r' AND n.nspname NOT IN ('pg_catalog', 'information_schema')`,
  );
  return Number(rows[0]?.['bytes'] ?? 0);
}

async function statementsByRole(stack: BenchStack): Promise<ReadonlyMap<string, number>> {
  const rows = await ask(
    stack,
    COUNTING,
    `SELECT r.rolname AS role, sum(s.calls)::text AS calls
       FROM pg_stat_statements s JOIN pg_roles r ON r.oid = s.userid
      WHERE r.rolname LIKE 'launch\\_%' AND s.query !~* '^(begin|start|commit|rollback)'
      GROUP BY r.rolname`,
  );
  return new Map(rows.map(({ role, calls }) => [named(role ?? ''), Number(calls)]));
}

/** Asks as the role of the database's name; `postgres` is the superuser. */
async function ask(stack: BenchStack, database: string, text: string): Promise<Readonly<Record<string, string>>[]> {
  const client = new Client({ connectionString: await stack.databaseUrl(database) });
  await client.connect();
  try {
    return (await client.query<Record<string, string>>(text)).rows;
  } finally {
    await client.end();
  }
}

const named = (database: string): string => database.replace('launch_', '').replaceAll('_', '-');

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

/** Returns the sum of all series of a metric. */
async function metricOf({ running }: BenchStack, service: (typeof OBSERVING)[number], metric: string): Promise<number> {
  const response = await fetch(`${running.services.operationsUrl(service)}/metrics`);
  const lines = (await response.text()).split('\n');
  return lines.filter((line) => line.startsWith(metric)).reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}
