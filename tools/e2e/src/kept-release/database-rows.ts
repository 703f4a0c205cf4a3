import { createHash } from 'node:crypto';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { withClient } from '@launch/postgres-server';
import { findService, migrateDeploy, migrationsFolder } from '@launch/prisma-tools';
import type { KeptMigration, ServiceName } from './kept-release.js';

/** Prisma's own record of what was applied. */
const HISTORY = '_prisma_migrations';
const TABLES = `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> '${HISTORY}' ORDER BY tablename`;

export type TableRows = Readonly<Record<string, readonly string[]>>;

/** Every row of every table, as PostgreSQL writes it: microseconds, bytes and integers of any size stay what they are. */
export async function dumpRows(url: string): Promise<TableRows> {
  return withClient(url, async (client) => {
    const dumped: Record<string, string[]> = {};
    for (const { name } of (await client.query(TABLES)).rows as { name: string }[]) {
      const found = await client.query(
        `SELECT row_to_json(whole)::text AS text FROM ${client.escapeIdentifier(name)} whole ORDER BY 1`,
      );
      dumped[name] = (found.rows as { text: string }[]).map(({ text }) => text);
    }
    return dumped;
  });
}

/** What a database says was applied to it, in order. */
export async function appliedMigrations(url: string): Promise<KeptMigration[]> {
  return withClient(
    url,
    async (client) =>
      (
        await client.query(
          `SELECT migration_name AS name, checksum FROM ${HISTORY} WHERE finished_at IS NOT NULL ORDER BY migration_name`,
        )
      ).rows as KeptMigration[],
  );
}

/**
 * Puts dumped rows into the tables of the schema they were dumped from.
 * @param adminUrl a superuser's, who may leave triggers and foreign keys aside: the rows were written under both.
 */
export async function loadRows(adminUrl: string, rows: TableRows): Promise<void> {
  await withClient(adminUrl, async (client) => {
    await client.query(`SET session_replication_role = 'replica'`);
    for (const [table, texts] of Object.entries(rows)) {
      const name = client.escapeIdentifier(table);
      for (const text of texts)
        await client.query(`INSERT INTO ${name} SELECT * FROM json_populate_record(NULL::${name}, $1::json)`, [text]);
    }
  });
}

/**
 * Brings an empty database to where a release left it: exactly its migrations, by their names.
 * @throws Error when one of them is gone or its file is another than the release applied.
 */
export async function migrateAsThen(
  url: string,
  service: ServiceName,
  migrations: readonly KeptMigration[],
): Promise<void> {
  const today = migrationsFolder(findService(service));
  const then = await mkdtemp(path.join(tmpdir(), 'launch-migrations-then-'));
  try {
    for (const { name, checksum } of migrations) {
      const sql = await readFile(path.join(today, name, 'migration.sql')).catch(() => {
        throw new Error(`${service}: the landed migration ${name} is gone`);
      });
      const found = createHash('sha256').update(sql).digest('hex');
      if (found !== checksum)
        throw new Error(`${service}: the landed migration ${name} was edited: it was ${checksum} and is ${found}`);
      await cp(path.join(today, name), path.join(then, name), { recursive: true });
    }
    await migrateDeploy(url, then);
  } finally {
    await rm(then, { recursive: true, force: true });
  }
}
