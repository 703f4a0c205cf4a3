import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { withClient } from '@launch/postgres-server';
import { listMigrations, migrateDeploy, migrationsFolder, PRISMA_SERVICES } from '@launch/prisma-tools';
import { createEmptyDatabase } from '@launch/testing';

const BLOCKED_WALLETS = '20261122090000_blocked_wallets';
const wallet = (digit: string): `0x${string}` => `0x${digit.repeat(40)}`;

it('keeps wallets from signing in that were kept before there was a list of them, and no others', async () => {
  const service = PRISMA_SERVICES.find(({ name }) => name === 'api-gateway');
  if (service === undefined) throw new TypeError('the gateway has a database');
  const all = migrationsFolder(service);
  const folder = await mkdtemp(path.join(tmpdir(), 'launch-migrations-'));
  const database = await createEmptyDatabase();
  try {
    for (const { name } of await listMigrations(all))
      if (name < BLOCKED_WALLETS) await cp(path.join(all, name), path.join(folder, name), { recursive: true });
    await migrateDeploy(database.url, folder);
    await withClient(database.url, async (client) => {
      const issue = (id: string, controller: string, generation: number, origin: string, revokedAt: string | null) =>
        client.query(
          `INSERT INTO credential (credential_id, lineage_id, generation, controller, origin, scopes, chains, secret_mac, revoked_at)
           VALUES ($1, gen_random_uuid(), $2, $3, $4, '{}', '{}', '', $5)`,
          [id, generation, controller, origin, revokedAt],
        );
      await issue('a1', wallet('a'), 1, 'sign-in', null);
      await issue('a2', wallet('a'), 2, 'sign-in', '2026-01-02T00:00:00Z');
      await issue('b1', wallet('b'), 1, 'sign-in', '2026-01-02T00:00:00Z');
      await issue('b2', wallet('b'), 2, 'sign-in', null);
      await issue('c1', wallet('c'), 1, 'operator', '2026-01-02T00:00:00Z');
    });
    await migrateDeploy(database.url, all);
    await withClient(database.url, async (client) => {
      const { rows } = await client.query<Record<string, unknown>>('SELECT * FROM blocked_wallet');
      expect(rows).toEqual([
        { controller: wallet('a'), revoked_credential: 'a2', blocked_at: new Date('2026-01-02T00:00:00Z') },
      ]);
    });
  } finally {
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  }
});
