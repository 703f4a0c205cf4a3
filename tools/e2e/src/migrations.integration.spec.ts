import { describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { withClient } from '@launch/postgres-server';
import { createEmptyDatabase } from '@launch/testing';
import { listMigrations, migrateDeploy, migrationsFolder, PRISMA_SERVICES, runPrisma } from '@launch/prisma-tools';

describe.each(PRISMA_SERVICES)('migrations of $name', (service) => {
  it('produce the schema of schema.prisma, and Prisma agrees that they are applied', async () => {
    const database = await createEmptyDatabase();
    try {
      const names = (await listMigrations(migrationsFolder(service))).map((migration) => migration.name);
      expect(await migrateDeploy(database.url, migrationsFolder(service))).toEqual(names);
      expect(await migrateDeploy(database.url, migrationsFolder(service))).toEqual([]);
      const status = await runPrisma(service, ['migrate', 'status'], database.url);
      // Without any migration there is no state for Prisma to compare.
      expect(`${status.stdout}${status.stderr}`).toMatch(
        names.length > 0 ? /Database schema is up to date/ : /No migration found/,
      );
      const drift = await runPrisma(
        service,
        [
          'migrate',
          'diff',
          ...(names.length > 0 ? ['--from-migrations', 'migrations'] : ['--from-empty']),
          '--to-schema',
          'schema.prisma',
          '--exit-code',
        ],
        database.url,
      );
      expect({ exitCode: drift.exitCode, says: drift.stdout + drift.stderr }).toMatchObject({ exitCode: 0 });
    } finally {
      await database.drop();
    }
  });
});

describe('migrateDeploy', () => {
  async function withMigrations(
    migrations: Record<string, string>,
    work: (folder: string, write: (name: string, sql: string) => Promise<void>) => Promise<void>,
  ): Promise<void> {
    const folder = await mkdtemp(path.join(tmpdir(), 'launch-migrations-'));
    const write = async (name: string, sql: string) => {
      await mkdir(path.join(folder, name), { recursive: true });
      await writeFile(path.join(folder, name, 'migration.sql'), sql);
    };
    try {
      for (const [name, sql] of Object.entries(migrations)) await write(name, sql);
      await work(folder, write);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  it('lets one of many concurrent runs apply, functions with semicolons included', async () => {
    const database = await createEmptyDatabase();
    const trigger =
      "CREATE FUNCTION one() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN 1; END; $$;\nCREATE TABLE t (v text DEFAULT 'a;b');";
    await withMigrations(
      { '20260101000000_first': trigger, '20260102000000_second': 'ALTER TABLE t ADD n int;' },
      async (folder) => {
        const runs = await Promise.all(Array.from({ length: 6 }, () => migrateDeploy(database.url, folder)));
        expect(runs.flat()).toEqual(['20260101000000_first', '20260102000000_second']);
      },
    );
    await database.drop();
  });

  it('leaves no part of a migration whose session is killed, so that the next run applies it', async () => {
    const database = await createEmptyDatabase();
    await withMigrations(
      { '1_waits': 'CREATE TABLE t (n int); SELECT pg_advisory_xact_lock(4711);' },
      async (folder) => {
        await withClient(database.url, async (holder) => {
          await holder.query('SELECT pg_advisory_lock(4711)');
          const interrupted = expect(migrateDeploy(database.url, folder)).rejects.toThrow(/1_waits was interrupted/);
          const waiting = "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid = 4711 AND NOT granted";
          while ((await holder.query(`SELECT pg_terminate_backend(pid) FROM (${waiting}) AS w`)).rowCount === 0)
            await new Promise((resolve) => setTimeout(resolve, 20));
          await interrupted;
        });
        expect(await migrateDeploy(database.url, folder)).toEqual(['1_waits']);
      },
    );
    await database.drop();
  });

  it('refuses an edited, an unknown and a failed migration', async () => {
    const database = await createEmptyDatabase();
    await withMigrations({ '1_table': 'CREATE TABLE t (n int);' }, async (folder, write) => {
      await migrateDeploy(database.url, folder);
      await write('1_table', 'CREATE TABLE t (n bigint);');
      await expect(migrateDeploy(database.url, folder)).rejects.toMatchObject({
        code: 'MIGRATION_EDITED',
        migration: '1_table',
      });
      await write('1_table', 'CREATE TABLE t (n int);');
      await write('2_bad', 'CREATE TABLE u (n int); SELECT 1/0;');
      await expect(migrateDeploy(database.url, folder)).rejects.toMatchObject({
        code: 'MIGRATION_REFUSED',
        migration: '2_bad',
      });
      await withClient(database.url, async (client) => {
        expect((await client.query("SELECT to_regclass('u') AS u")).rows).toEqual([{ u: null }]);
        expect((await client.query("SELECT logs FROM _prisma_migrations WHERE migration_name = '2_bad'")).rows).toEqual(
          [{ logs: 'division by zero' }],
        );
      });
      await expect(migrateDeploy(database.url, folder)).rejects.toMatchObject({
        code: 'MIGRATION_FAILED_EARLIER',
        migration: '2_bad',
      });
    });
    await withMigrations({}, async (folder) => {
      await withClient(database.url, (client) =>
        client.query("UPDATE _prisma_migrations SET rolled_back_at = now() WHERE migration_name = '2_bad'"),
      );
      await expect(migrateDeploy(database.url, folder)).rejects.toMatchObject({
        code: 'MIGRATION_UNKNOWN',
        migration: '1_table',
      });
    });
    await database.drop();
  });
});
