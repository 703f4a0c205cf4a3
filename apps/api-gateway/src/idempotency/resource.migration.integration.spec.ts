import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { withClient } from '@launch/postgres-server';
import { listMigrations, migrateDeploy, migrationsFolder, PRISMA_SERVICES } from '@launch/prisma-tools';
import { createEmptyDatabase } from '@launch/testing';

const RESOURCES_BY_KIND = '20261122124500_resources_by_kind';
const CONTEXT = `0x${'c'.repeat(64)}`;

let folder: string;
let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'launch-migrations-'));
  database = await createEmptyDatabase();
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const addLaunch = async (): Promise<string> => {
  const launchId = randomUUID();
  await withClient(database.url, async (client) => {
    await client.query(
      `INSERT INTO release_context (context_hash, document) VALUES ($1, '{}') ON CONFLICT DO NOTHING`,
      [CONTEXT],
    );
    await client.query(
      `INSERT INTO launch (launch_id, lineage_id, controller, router, nonce, idempotency_key, request_sha256, request_hash,
         artifact_hash, onchain_launch_id, context_hash, valid_after, deadline, image_sha256, status)
       VALUES ($1, gen_random_uuid(), '0x', '0x', '1', '', '', '', '', '', $2, 1, 2, '', 'reserved')`,
      [launchId, CONTEXT],
    );
  });
  return launchId;
};
/** Binds a key as the release before did: it names a launch in `launch_id`. */
const bindAsBefore = (key: string, launchId: string) =>
  withClient(database.url, (client) =>
    client.query(
      `INSERT INTO idempotency_record (lineage_id, route, idempotency_key, body_sha256, launch_id)
       VALUES (gen_random_uuid(), 'POST /', $1, '', $2)`,
      [key, launchId],
    ),
  );
const bind = (key: string, kind: string, id: string) =>
  withClient(database.url, (client) =>
    client.query(
      `INSERT INTO idempotency_record (lineage_id, route, idempotency_key, body_sha256, resource_kind, resource_id)
       VALUES (gen_random_uuid(), 'POST /', $1, '', $2, $3)`,
      [key, kind, id],
    ),
  );
const recordOf = (key: string) =>
  withClient(database.url, async (client) => {
    const { rows } = await client.query<Record<string, unknown>>(
      'SELECT resource_kind, resource_id, launch_id FROM idempotency_record WHERE idempotency_key = $1',
      [key],
    );
    return rows;
  });

it('names what every kept key reserved, and finds what gateways of the release before still write', async () => {
  const service = PRISMA_SERVICES.find(({ name }) => name === 'api-gateway');
  if (service === undefined) throw new TypeError('the gateway has a database');
  const all = migrationsFolder(service);
  for (const { name } of await listMigrations(all))
    if (name < RESOURCES_BY_KIND) await cp(path.join(all, name), path.join(folder, name), { recursive: true });
  await migrateDeploy(database.url, folder);
  const [kept, drained] = [await addLaunch(), await addLaunch()];
  await bindAsBefore('key-kept', kept);
  await migrateDeploy(database.url, all);
  await bindAsBefore('key-of-a-draining-gateway', drained);
  const named = (id: string) => [{ resource_kind: 'multi-role-launch', resource_id: id, launch_id: id }];
  expect(await recordOf('key-kept')).toEqual(named(kept));
  expect(await recordOf('key-of-a-draining-gateway')).toEqual(named(drained));
});

it('lets gateways of the release before find a launch that this one reserves, and nothing of another kind', async () => {
  const launchId = await addLaunch();
  await bind('key-of-this-release', 'multi-role-launch', launchId);
  await bind('key-of-another-kind', 'plan', launchId);
  expect(await recordOf('key-of-this-release')).toEqual([
    { resource_kind: 'multi-role-launch', resource_id: launchId, launch_id: launchId },
  ]);
  expect(await recordOf('key-of-another-kind')).toEqual([
    { resource_kind: 'plan', resource_id: launchId, launch_id: null },
  ]);
  await expect(bind('key-twice', 'multi-role-launch', launchId)).rejects.toMatchObject({ code: '23505' });
});
