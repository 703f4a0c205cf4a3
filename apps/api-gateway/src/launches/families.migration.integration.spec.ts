import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LAUNCH_FAMILIES } from '@launch/contracts';
import { databaseBefore, type FormerDatabase } from '../fixtures/former-database.js';
import { familyOfRows } from './launch-families.js';

let database: FormerDatabase;
/** A published record as the release before writes it: by its generation. */
const publishAsBefore = (launchId: string, number: number, generation: number) =>
  database.query(
    `INSERT INTO finalized_record (publication_number, onchain_launch_id, launch_id, record, record_sha256, image_sha256, image_media_type, generation)
     VALUES ($2, $1::text, $1::uuid, '{}', '', '', '', $3)`,
    [launchId, number, generation],
  );
const publish = (launchId: string, number: number, feed: string) =>
  database.query(
    `INSERT INTO finalized_record (publication_number, onchain_launch_id, launch_id, record, record_sha256, image_sha256, image_media_type, feed)
     VALUES ($2, $1::text, $1::uuid, '{}', '', '', '', $3)`,
    [launchId, number, feed],
  );
const feeds = async () =>
  (await database.query('SELECT feed, generation FROM finalized_record ORDER BY publication_number')).map(
    ({ feed, generation }) => [feed, generation],
  );
const reach = (launchId: string, status: string) =>
  database.query('UPDATE launch SET status = $2 WHERE launch_id = $1', [launchId, status]);
const refused = { code: '23000' };
const unknown = { code: '23514' };

let kept: string;
beforeAll(async () => {
  database = await databaseBefore('20261122223000_launch_families');
  kept = await database.addLaunch();
  await publishAsBefore(kept, 1, 3);
  await database.migrate();
});
afterAll(() => database.drop());

/** A launch of a family, in a status of its own. */
async function launchOf(family: string, status: string): Promise<string> {
  const launchId = await database.addLaunch();
  await database.query('ALTER TABLE launch DISABLE TRIGGER USER');
  try {
    await database.query('UPDATE launch SET family = $2, status = $3 WHERE launch_id = $1', [launchId, family, status]);
  } finally {
    await database.query('ALTER TABLE launch ENABLE TRIGGER USER');
  }
  return launchId;
}

it('keeps every launch as a multi-role one, and every record in the feed of its generation', async () => {
  expect(await database.query('SELECT family, sequence FROM launch WHERE launch_id = $1', [kept])).toEqual([
    { family: 'multi-role.v2', sequence: 0 },
  ]);
  await publishAsBefore(await database.addLaunch(), 2, 2);
  await publish(await database.addLaunch(), 3, 'multi-role.v2');
  await publish(await database.addLaunch(), 4, 'custom-launch.v4');
  expect(await feeds()).toEqual([
    ['multi-role.v3', 3],
    ['multi-role.v2', 2],
    ['multi-role.v2', 2],
    ['custom-launch.v4', 4],
  ]);
  await expect(publish(await database.addLaunch(), 5, 'another')).rejects.toMatchObject(unknown);
});

describe.each(LAUNCH_FAMILIES)('a launch of %s', (family) => {
  const { statuses, finished } = familyOfRows(family);

  it('has each of its own statuses, none of another family, and leaves no end', async () => {
    for (const status of statuses) await launchOf(family, status);
    const foreign = LAUNCH_FAMILIES.flatMap((other) => familyOfRows(other).statuses).filter(
      (status) => !statuses.includes(status),
    );
    for (const status of foreign) await expect(launchOf(family, status)).rejects.toMatchObject(unknown);
    const [open = ''] = statuses.filter((status) => !finished.includes(status));
    for (const end of finished) await expect(reach(await launchOf(family, end), open)).rejects.toMatchObject(refused);
  });

  it('is swept by the relay in each status that is no end, and in no other', async () => {
    const swept = await database.query(
      `SELECT DISTINCT status FROM launch WHERE family = $1 AND status NOT IN ('action_required', 'finalized', 'failed', 'expired', 'superseded')`,
      [family],
    );
    expect(swept.map(({ status }) => status).sort()).toEqual(
      statuses.filter((status) => !finished.includes(status)).sort(),
    );
  });
});

it('lets a plan that ended below finality be superseded, and nothing else', async () => {
  await reach(await launchOf('plan.v1', 'expired'), 'superseded');
  await expect(reach(await launchOf('plan.v1', 'finalized'), 'superseded')).rejects.toMatchObject(refused);
  await expect(reach(await launchOf('custom-launch.v4', 'failed'), 'superseded')).rejects.toMatchObject(refused);
});
