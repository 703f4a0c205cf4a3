import { describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { provisionDatabases } from './databases.js';
import { withClient } from './postmaster.js';
import { startPostgres } from './server.js';
import type { PostgresServer } from './server.js';
import { startTemporaryPostgres } from './temporary.js';

const password = 'correct horse';

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'launch-pg-spec-'));
  await chmod(folder, 0o711);
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function answer(server: PostgresServer, sql: string): Promise<unknown> {
  return withClient(
    server.adminUrl(),
    async (client) => (await client.query({ text: sql, rowMode: 'array' })).rows[0]?.[0],
  );
}

describe('embedded PostgreSQL', () => {
  it('keeps its data across a kill -9 and a second start', async () => {
    await inFolder(async (folder) => {
      const dataDir = path.join(folder, 'postgres');
      const first = await startPostgres({ dataDir, password });
      expect(first.origin).toBe('created');
      try {
        expect(await answer(first, 'SHOW server_version')).toMatch(/^18\./);
        expect(await answer(first, 'SHOW data_checksums')).toBe('on');
        expect(await answer(first, 'SHOW listen_addresses')).toBe('127.0.0.1');
        await withClient(first.adminUrl(), (client) => client.query('CREATE TABLE kept AS SELECT 7 AS n'));
      } finally {
        process.kill(first.pid, 'SIGKILL');
        await first.exited;
      }
      const second = await startPostgres({ dataDir, password });
      try {
        expect(second.origin).toBe('found');
        expect(await answer(second, 'SELECT n FROM kept')).toBe(7);
      } finally {
        await second.stop();
      }
    });
  });

  it('adopts a server that already runs on the folder, and stops it', async () => {
    await inFolder(async (folder) => {
      const dataDir = path.join(folder, 'postgres');
      const first = await startPostgres({ dataDir, password, durable: false });
      const adopted = await startPostgres({ dataDir, password, durable: false });
      expect(adopted.origin).toBe('adopted');
      expect([adopted.pid, adopted.port]).toEqual([first.pid, first.port]);
      await adopted.stop();
      await first.exited;
      expect(() => process.kill(first.pid, 0)).toThrow();
    });
  });

  it('ends with a parent that was killed', async () => {
    await inFolder(async (folder) => {
      const dataDir = path.join(folder, 'postgres');
      const script = `
        import { startPostgres } from '@launch/postgres-server';
        const server = await startPostgres({ dataDir: ${JSON.stringify(dataDir)}, password: ${JSON.stringify(password)}, durable: false });
        console.log(server.pid);
        setInterval(() => {}, 1000);`;
      const hooks = path.resolve(import.meta.dirname, '../../source-hooks.mjs');
      const parent = spawn(
        process.execPath,
        ['--conditions=@launch/source', '--import', hooks, '--input-type=module', '--eval', script],
        {
          cwd: import.meta.dirname,
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      );
      const pid = await new Promise<number>((resolve, reject) => {
        parent.stdout.once('data', (data: Buffer) => resolve(Number(data.toString())));
        parent.once('exit', () => reject(new Error('the parent ended early')));
      });
      expect(() => process.kill(pid, 0)).not.toThrow();
      parent.kill('SIGKILL');
      await new Promise<void>((resolve) => {
        const timer = setInterval(() => {
          try {
            process.kill(pid, 0);
          } catch {
            clearInterval(timer);
            resolve();
          }
        }, 50);
      });
    });
  });

  it('lets each role into its own database only', async () => {
    const server = await startTemporaryPostgres();
    try {
      const databases = ['one', 'two'].map((name) => ({
        database: `launch_${name}`,
        user: `launch_${name}`,
        password: `secret-${name}`,
      }));
      await provisionDatabases(server.adminUrl(), databases);
      await provisionDatabases(server.adminUrl(), databases);
      const [one, two] = databases as [(typeof databases)[0], (typeof databases)[0]];
      await expect(
        withClient(server.url(one), (client) => client.query('CREATE TABLE mine (n int)')),
      ).resolves.toMatchObject({ command: 'CREATE' });
      for (const database of [two.database, 'postgres', 'template1']) {
        await expect(
          withClient(server.url({ ...one, database }), (client) => client.query('SELECT 1')),
        ).rejects.toMatchObject({ code: '42501' });
      }
    } finally {
      await server.stop();
    }
  });

  it('provides databases to callers that ask at the same time', async () => {
    const server = await startTemporaryPostgres();
    try {
      const names = Array.from({ length: 8 }, (_, index) => `asked_at_once_${index}`);
      await Promise.all(
        names.map((name) =>
          provisionDatabases(server.adminUrl(), [{ database: name, user: name, password: `secret-${name}` }]),
        ),
      );
      expect(await answer(server, `SELECT count(*)::int FROM pg_database WHERE datname LIKE 'asked_at_once_%'`)).toBe(
        8,
      );
    } finally {
      await server.stop();
    }
  });
});
