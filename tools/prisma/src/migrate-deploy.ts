import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';

export type MigrationErrorCode =
  /** An earlier run of a migration failed half-way; a person has to resolve it (`prisma migrate resolve`). */
  | 'MIGRATION_FAILED_EARLIER'
  /** The database knows a migration that is not on disk: the code is older than the database. */
  | 'MIGRATION_UNKNOWN'
  /** A migration's file changed after it was applied. */
  | 'MIGRATION_EDITED'
  /** A migration's SQL was refused. */
  | 'MIGRATION_REFUSED';

export class MigrationError extends Error {
  override readonly name = 'MigrationError';
  constructor(
    readonly code: MigrationErrorCode,
    readonly migration: string,
    detail: string,
    options?: ErrorOptions,
  ) {
    super(`${code}: migration ${migration} ${detail}`, options);
  }
}

/** The advisory lock Prisma Migrate itself takes, so that its CLI and this runner exclude each other. */
const PRISMA_MIGRATE_LOCK = 72_707_369;

// Prisma's own table, column for column, so that `prisma migrate status` agrees with what is done here.
const HISTORY_TABLE = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id VARCHAR(36) PRIMARY KEY NOT NULL, checksum VARCHAR(64) NOT NULL, finished_at TIMESTAMPTZ, migration_name VARCHAR(255) NOT NULL,
  logs TEXT, rolled_back_at TIMESTAMPTZ, started_at TIMESTAMPTZ NOT NULL DEFAULT now(), applied_steps_count INTEGER NOT NULL DEFAULT 0)`;

interface HistoryRow {
  migration_name: string;
  checksum: string;
  finished_at: Date | null;
  rolled_back_at: Date | null;
}

/** The migrations of a folder in the order they are applied. */
export async function listMigrations(folder: string): Promise<{ name: string; sql: string; checksum: string }[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      const sql = await readFile(path.join(folder, name, 'migration.sql'), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

/**
 * Applies a folder's pending migrations in order, as `prisma migrate deploy` does, without its CLI. Concurrent runs
 * wait for each other. A migration and its place in the history are one transaction, so that a run that is killed
 * leaves both or neither. One that controls its transactions itself, or cannot be in one, is a query of its own.
 * @returns the names applied by this run.
 * @throws MigrationError; after `MIGRATION_REFUSED` the history table has the failure.
 */
export async function migrateDeploy(connectionString: string, folder: string): Promise<string[]> {
  const migrations = await listMigrations(folder);
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [PRISMA_MIGRATE_LOCK]);
    await client.query(HISTORY_TABLE);
    const done = await readHistory(client, new Set(migrations.map((migration) => migration.name)));
    const applied: string[] = [];
    for (const migration of migrations) {
      const checksum = done.get(migration.name);
      if (checksum === undefined) {
        await apply(client, migration);
        applied.push(migration.name);
      } else if (checksum !== migration.checksum) {
        throw new MigrationError('MIGRATION_EDITED', migration.name, 'was edited after it was applied');
      }
    }
    return applied;
  } finally {
    await client.end();
  }
}

async function readHistory(client: pg.Client, onDisk: ReadonlySet<string>): Promise<Map<string, string>> {
  const { rows } = await client.query<HistoryRow>(
    'SELECT migration_name, checksum, finished_at, rolled_back_at FROM _prisma_migrations ORDER BY started_at',
  );
  const done = new Map<string, string>();
  for (const row of rows) {
    if (row.rolled_back_at !== null) continue;
    if (row.finished_at === null)
      throw new MigrationError('MIGRATION_FAILED_EARLIER', row.migration_name, 'failed earlier; resolve it first');
    if (!onDisk.has(row.migration_name))
      throw new MigrationError('MIGRATION_UNKNOWN', row.migration_name, 'is in the database but not on disk');
    done.set(row.migration_name, row.checksum);
  }
  return done;
}

/** Statements that cannot be part of another transaction. */
const OWN_TRANSACTIONS = /^\s*(?:BEGIN|COMMIT|START\s+TRANSACTION)\b[^;\n]*;|\bCONCURRENTLY\b/im;

const BEGUN = 'INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ($1, $2, $3)';

async function apply(client: pg.Client, migration: { name: string; sql: string; checksum: string }): Promise<void> {
  const id = randomUUID();
  const whole = !OWN_TRANSACTIONS.test(migration.sql);
  const begun = [id, migration.checksum, migration.name];
  if (whole) await client.query('BEGIN');
  await client.query(BEGUN, begun);
  try {
    await client.query(migration.sql);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (whole) {
      await client.query('ROLLBACK').catch(() => {
        // A session that is gone was rolled back by the server: the next run finds nothing of it.
        throw new MigrationError('MIGRATION_REFUSED', migration.name, `was interrupted: ${reason}`, { cause: error });
      });
      await client.query(BEGUN, begun);
    }
    await client.query('UPDATE _prisma_migrations SET logs = $2 WHERE id = $1', [id, reason]);
    throw new MigrationError('MIGRATION_REFUSED', migration.name, `was refused by the database: ${reason}`, {
      cause: error,
    });
  }
  await client.query('UPDATE _prisma_migrations SET finished_at = now(), applied_steps_count = 1 WHERE id = $1', [id]);
  if (whole) await client.query('COMMIT');
}
