import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CreateRequest } from '@launch/contracts/multi-role';
import { OPEN_STATUSES } from '../launches/launch-families.js';
import { call, newKey, type Answer } from '../../fixtures/http.client.js';
import { startHarness, type Harness } from '../../fixtures/gateway.harness.js';
import { requestBytes, testRequest } from '../../fixtures/test-request.js';
import { runSql } from '../../fixtures/run-sql.js';

let gateway: Harness;
let key: string;
let nonce = 1_000;
const fresh = (): CreateRequest => testRequest({ nonce: String((nonce += 1)) });
const create = (body: Uint8Array): Promise<Answer> =>
  call(gateway.base, { key, body, headers: { 'idempotency-key': newKey() } });

beforeAll(async () => {
  gateway = await startHarness();
  ({ key } = await gateway.issueKey());
});
afterAll(() => gateway.close());

describe('The relay', () => {
  it('starts the launches of a process that died after its commit, once Temporal is back', async () => {
    gateway.workflows.down = true;
    const created = await create(requestBytes(fresh()));
    expect(created.status).toBe(202);
    expect(gateway.workflows.admissions).not.toContain(created.json.launchId);
    gateway.workflows.down = false;
    // A sweep leaves the launch alone until its first start has timed out.
    while (!gateway.workflows.admissions.includes(created.json.launchId)) {
      await runSql(gateway.database, 'UPDATE launch SET relay_after = now() WHERE launch_id = $1', [
        created.json.launchId,
      ]);
      await gateway.relay.sweep();
    }
    expect(gateway.workflows.admissions.filter((id) => id === created.json.launchId)).toHaveLength(1);
  });

  it('checks an admission every minute, and backs off once its window is long over without a recorded end', async () => {
    const { launchId } = (await create(requestBytes(fresh()))).json as { launchId: string };
    const database = gateway.database;
    const putOff = async (secondsPastTheWindow: number): Promise<number> => {
      // A reservation is immutable, including its window: the test disables the guard to change it.
      await runSql(database, 'ALTER TABLE launch DISABLE TRIGGER USER');
      await runSql(
        database,
        `UPDATE launch SET valid_after = 1, deadline = extract(epoch FROM now())::bigint - $2, relay_after = now() WHERE launch_id = $1`,
        [launchId, secondsPastTheWindow],
      );
      await runSql(database, 'ALTER TABLE launch ENABLE TRIGGER USER');
      await gateway.relay.sweep();
      const [row] = await runSql<{ seconds: number }>(
        database,
        `SELECT extract(epoch FROM relay_after - now())::float8 AS seconds FROM launch WHERE launch_id = $1`,
        [launchId],
      );
      return Math.round((row?.seconds ?? 0) / 60);
    };
    expect([await putOff(-1_000), await putOff(60), await putOff(3_600), await putOff(10 * 86_400)]).toEqual([
      1, 1, 30, 1_440,
    ]);
  });

  it('starts a launch once when its start gave way to a request until it was due', async () => {
    const request = Promise.withResolvers<void>();
    const served = gateway.relay.first(() => request.promise);
    const { launchId } = (await create(requestBytes(fresh()))).json as { launchId: string };
    await runSql(gateway.database, 'UPDATE launch SET relay_after = now() WHERE launch_id = $1', [launchId]);
    await gateway.relay.sweep();
    request.resolve();
    await served;
    expect(gateway.workflows.admissions.filter((id) => id === launchId)).toEqual([launchId]);
  });

  it('lets two sweepers share the due launches', async () => {
    const other = await startHarness({ beside: gateway });
    try {
      // No launch is started before the sweepers run.
      gateway.workflows.down = true;
      const ids = await Promise.all(
        Array.from({ length: 12 }, async () => (await create(requestBytes(fresh()))).json.launchId as string),
      );
      while (!ids.every((id) => gateway.workflows.refused.includes(id))) await new Promise(setImmediate);
      gateway.workflows.down = false;
      const started = (): string[] =>
        [...gateway.workflows.admissions, ...other.workflows.admissions].filter((id) => ids.includes(id));
      // A sweep leaves a launch alone until its first start has timed out.
      for (let left: string[]; (left = ids.filter((id) => !started().includes(id))).length > 0;) {
        await runSql(gateway.database, 'UPDATE launch SET relay_after = now() WHERE launch_id = ANY($1)', [left]);
        await Promise.all([gateway.relay.sweep(), other.relay.sweep()]);
      }
      expect(started().sort()).toEqual([...ids].sort());
    } finally {
      await other.close();
    }
  });

  it('finds due launches by the index of unfinished launches, with their statuses as a parameter', async () => {
    const rolledBack = new Error('rolled back');
    let plan = '';
    const explained = gateway.database.transaction(async (session) => {
      await runSql(session, 'SET LOCAL enable_seqscan = off');
      await runSql(session, 'DROP INDEX launch_status_relay_after_idx');
      const lines = await runSql<{ 'QUERY PLAN': string }>(
        session,
        'EXPLAIN SELECT launch_id FROM launch WHERE status = ANY($1::text[]) AND relay_after <= now() ORDER BY relay_after',
        [OPEN_STATUSES],
      );
      plan = lines.map((line) => line['QUERY PLAN']).join('\n');
      throw rolledBack;
    });
    await expect(explained).rejects.toBe(rolledBack);
    expect(plan).toContain('launch_unfinished');
  });
});
