import { describe, expect, it } from '@jest/globals';
import { createServer } from 'node:net';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client, Connection } from '@temporalio/client';
import type { TemporalServer } from './dev-server.js';
import { startTemporal } from './dev-server.js';

async function withClient<T>(server: TemporalServer, work: (client: Client) => Promise<T>): Promise<T> {
  const connection = await Connection.connect({ address: server.address });
  try {
    return await work(new Client({ connection, namespace: server.namespace }));
  } finally {
    await connection.close();
  }
}

describe('the local Temporal server', () => {
  it.each([
    ['kept state', true],
    ['throw-away state', false],
  ])('keeps its workflows and search attributes across a kill -9 on %s', async (_, durable) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'launch-temporal-'));
    const options = {
      dbFile: path.join(folder, 'temporal.sqlite'),
      durable,
      uiPort: 0,
      searchAttributes: { LaunchId: 'Keyword' },
    };
    try {
      const first = await startTemporal(options);
      expect((await fetch(String(first.ui))).status).toBe(200);
      await withClient(first, (client) =>
        client.workflow.start('nobody', {
          taskQueue: 'nobody',
          workflowId: 'kept',
          searchAttributes: { LaunchId: ['one'] },
        }),
      );
      // A write-ahead log: one file that stays, instead of one that each transaction makes and removes.
      expect(await readdir(folder)).toContain('temporal.sqlite-wal');
      process.kill(first.pid, 'SIGKILL');
      await first.exited;
      const second = await startTemporal(options);
      try {
        const described = await withClient(second, (client) => client.workflow.getHandle('kept').describe());
        expect(described.status.name).toBe('RUNNING');
        expect(described.searchAttributes).toMatchObject({ LaunchId: ['one'] });
      } finally {
        await second.stop();
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('registers in a kept state the search attributes that a later start asks for', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'launch-temporal-'));
    const dbFile = path.join(folder, 'temporal.sqlite');
    const startAs = (server: TemporalServer, workflowId: string, searchAttributes: Record<string, string[]>) =>
      withClient(server, async ({ workflow }) => {
        await workflow.start('nobody', { taskQueue: 'nobody', workflowId, searchAttributes });
        return (await workflow.getHandle(workflowId).describe()).searchAttributes;
      });
    try {
      const earlier = { LaunchId: 'Keyword', LaunchFinding: 'KeywordList' };
      const first = await startTemporal({ dbFile, searchAttributes: earlier });
      await startAs(first, 'earlier', { LaunchId: ['one'] });
      await first.stop();
      const second = await startTemporal({ dbFile, searchAttributes: { ...earlier, LaunchFamily: 'Keyword' } });
      try {
        expect(await startAs(second, 'later', { LaunchId: ['two'], LaunchFamily: ['plan'] })).toEqual({
          LaunchId: ['two'],
          LaunchFamily: ['plan'],
        });
        const kept = await withClient(second, (client) => client.workflow.getHandle('earlier').describe());
        expect(kept.searchAttributes).toEqual({ LaunchId: ['one'] });
      } finally {
        await second.stop();
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('ends a server that an earlier run left on the same file', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'launch-temporal-'));
    const dbFile = path.join(folder, 'temporal.sqlite');
    try {
      const left = await startTemporal({ dbFile });
      const server = await startTemporal({ dbFile });
      await left.exited;
      expect(server.pid).not.toBe(left.pid);
      await server.stop();
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('does not end a process that merely has the recorded id', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'launch-temporal-'));
    const dbFile = path.join(folder, 'temporal.sqlite');
    try {
      await writeFile(`${dbFile}.pid`, `${process.ppid}\n`);
      const server = await startTemporal({ dbFile });
      expect(() => process.kill(process.ppid, 0)).not.toThrow();
      await server.stop();
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('reports why it did not start', async () => {
    const taken = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    try {
      const { port } = taken.address() as { port: number };
      await expect(startTemporal({ port })).rejects.toThrow(/did not start.*address already in use/s);
    } finally {
      taken.close();
    }
  });
});
