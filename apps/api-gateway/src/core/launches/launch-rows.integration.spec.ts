import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LAUNCH_FAMILIES } from '@launch/contracts/states';
import { withClient } from '@launch/postgres-server';
import { createTestDatabase, type TestDatabase } from '@launch/testing';
import { familyOfRows } from './launch-families.js';

const CONTEXT = `0x${'c'.repeat(64)}`;
const refused = { code: '23000' };
const unknown = { code: '23514' };

let database: TestDatabase;
const query = (sql: string, values: readonly unknown[] = []) =>
  withClient(database.url, async (client) => (await client.query<Record<string, unknown>>(sql, [...values])).rows);
const reach = (launchId: string, status: string) =>
  query('UPDATE launch SET status = $2 WHERE launch_id = $1', [launchId, status]);

beforeAll(async () => {
  database = await createTestDatabase('api-gateway');
  await query(`INSERT INTO release_context (context_hash, document) VALUES ($1, '{}')`, [CONTEXT]);
});
afterAll(() => database.drop());

/** Inserts a launch of a family with a status. */
async function launchOf(family: string, status: string): Promise<string> {
  const launchId = randomUUID();
  await query(
    `INSERT INTO launch (launch_id, family, lineage_id, controller, router, nonce, idempotency_key, request_sha256, request_hash,
       artifact_hash, onchain_launch_id, context_hash, valid_after, deadline, image_sha256, status)
     VALUES ($1, $2, gen_random_uuid(), '0x', '0x', '1', '', '', '', '', '', $4, 1, 2, '', $3)`,
    [launchId, family, status, CONTEXT],
  );
  return launchId;
}

describe.each(LAUNCH_FAMILIES)('A launch of %s', (family) => {
  const { statuses, finished } = familyOfRows(family);

  it('accepts each status of its family, refuses those of other families, and never leaves a final status', async () => {
    for (const status of statuses) await launchOf(family, status);
    const foreign = LAUNCH_FAMILIES.flatMap((other) => familyOfRows(other).statuses).filter(
      (status) => !statuses.includes(status),
    );
    for (const status of foreign) await expect(launchOf(family, status)).rejects.toMatchObject(unknown);
    const [open = ''] = statuses.filter((status) => !finished.includes(status));
    for (const end of finished) await expect(reach(await launchOf(family, end), open)).rejects.toMatchObject(refused);
  });

  it('is swept by the relay in each status that is not final, and in no other', async () => {
    const swept = await query(
      `SELECT DISTINCT status FROM launch WHERE family = $1 AND status NOT IN ('action_required', 'finalized', 'failed', 'expired', 'superseded')`,
      [family],
    );
    expect(swept.map(({ status }) => status).sort()).toEqual(
      statuses.filter((status) => !finished.includes(status)).sort(),
    );
  });
});

it('The database lets only a plan that ended below finality be superseded.', async () => {
  await reach(await launchOf('plan.v1', 'expired'), 'superseded');
  await expect(reach(await launchOf('plan.v1', 'finalized'), 'superseded')).rejects.toMatchObject(refused);
  await expect(reach(await launchOf('custom-launch.v4', 'failed'), 'superseded')).rejects.toMatchObject(refused);
});
