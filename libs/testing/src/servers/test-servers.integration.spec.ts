import { describe, expect, it } from '@jest/globals';
import { withClient } from '@launch/postgres-server';
import { startAnvil } from '../processes/test-anvil.js';
import { createEmptyDatabase, createTestDatabase } from './test-database.js';
import { sharedTemporal, startTimeSkipping } from './test-temporal.js';

describe('shared test servers', () => {
  it("give each caller a separate migrated database, which only the service's role can enter", async () => {
    const databases = await Promise.all([
      createTestDatabase('finality'),
      createTestDatabase('finality'),
      createTestDatabase('custody'),
    ]);
    const [one, two, custody] = databases as [(typeof databases)[0], (typeof databases)[0], (typeof databases)[0]];
    try {
      expect(new Set(databases.map((database) => database.name)).size).toBe(3);
      await withClient(one.url, (client) => client.query('CREATE TABLE only_here (n int)'));
      await withClient(two.url, async (client) => {
        expect((await client.query("SELECT to_regclass('only_here') AS found")).rows[0]).toEqual({ found: null });
        expect((await client.query('SELECT current_user AS name')).rows[0]).toEqual({ name: 'launch_finality' });
      });
      const stranger = new URL(custody.url);
      stranger.pathname = new URL(one.url).pathname;
      await expect(withClient(stranger.toString(), (client) => client.query('SELECT 1'))).rejects.toMatchObject({
        code: '42501',
      });
    } finally {
      await Promise.all(databases.map((database) => database.drop()));
    }
  });

  it('drop databases that are still in use', async () => {
    const database = await createEmptyDatabase();
    await withClient(database.url, async (client) => {
      await database.drop();
      await expect(client.query('SELECT 1')).rejects.toThrow();
    });
  });

  it('share one Temporal', async () => {
    expect(await sharedTemporal()).toEqual(await sharedTemporal());
  });

  it('start a server with a skippable clock', async () => {
    const environment = await startTimeSkipping();
    try {
      const before = await environment.currentTimeMs();
      await environment.sleep('2 days');
      expect((await environment.currentTimeMs()) - before).toBeGreaterThanOrEqual(2 * 86_400_000);
    } finally {
      await environment.teardown();
    }
  });

  it('start an anvil', async () => {
    const anvil = await startAnvil({ chainId: 4663 });
    try {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] });
      const response = await fetch(anvil.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      expect(await response.json()).toMatchObject({ result: '0x1237' });
    } finally {
      await anvil.stop();
    }
  });
});
