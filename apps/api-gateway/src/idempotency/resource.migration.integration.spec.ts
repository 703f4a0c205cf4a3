import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { databaseBefore, type FormerDatabase } from '../fixtures/former-database.js';

let database: FormerDatabase;
beforeAll(async () => {
  database = await databaseBefore('20261122124500_resources_by_kind');
});
afterAll(() => database.drop());

/** Binds a key as the release before did: it names a launch in `launch_id`. */
const bindAsBefore = (key: string, launchId: string) =>
  database.query(
    `INSERT INTO idempotency_record (lineage_id, route, idempotency_key, body_sha256, launch_id)
     VALUES (gen_random_uuid(), 'POST /', $1, '', $2)`,
    [key, launchId],
  );
const bind = (key: string, kind: string, id: string) =>
  database.query(
    `INSERT INTO idempotency_record (lineage_id, route, idempotency_key, body_sha256, resource_kind, resource_id)
     VALUES (gen_random_uuid(), 'POST /', $1, '', $2, $3)`,
    [key, kind, id],
  );
const recordOf = (key: string) =>
  database.query('SELECT resource_kind, resource_id, launch_id FROM idempotency_record WHERE idempotency_key = $1', [
    key,
  ]);

it('names what every kept key reserved, and finds what gateways of the release before still write', async () => {
  const [kept, drained] = [await database.addLaunch(), await database.addLaunch()];
  await bindAsBefore('key-kept', kept);
  await database.migrate();
  await bindAsBefore('key-of-a-draining-gateway', drained);
  const named = (id: string) => [{ resource_kind: 'multi-role-launch', resource_id: id, launch_id: id }];
  expect(await recordOf('key-kept')).toEqual(named(kept));
  expect(await recordOf('key-of-a-draining-gateway')).toEqual(named(drained));
});

it('lets gateways of the release before find a launch that this one reserves, and nothing of another kind', async () => {
  const launchId = await database.addLaunch();
  await bind('key-of-this-release', 'multi-role-launch', launchId);
  await bind('key-of-another-kind', 'custom-launch-plan', launchId);
  expect(await recordOf('key-of-this-release')).toEqual([
    { resource_kind: 'multi-role-launch', resource_id: launchId, launch_id: launchId },
  ]);
  expect(await recordOf('key-of-another-kind')).toEqual([
    { resource_kind: 'custom-launch-plan', resource_id: launchId, launch_id: null },
  ]);
  await expect(bind('key-twice', 'multi-role-launch', launchId)).rejects.toMatchObject({ code: '23505' });
});
