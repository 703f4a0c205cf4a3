import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Sha256Digest } from '@launch/contracts/primitives';
import { randomUUID } from 'node:crypto';
import { moduleSubmission, MODULE_FILES } from '../../../../../libs/contracts/src/modules/module-package.fixture.js';
import { startHarness, type Harness } from '../../fixtures/gateway.harness.js';
import { call, codeOf, newKey } from '../../fixtures/http.client.js';
import { reserveLaunch, type DrivenLaunch } from '../../fixtures/launch.driver.js';
import { TEST_CONTROLLER } from '../../fixtures/test-request.js';
import { runSql } from '../../fixtures/run-sql.js';

const DAY_MS = 86_400_000;
let gateway: Harness;
let key: string;
beforeAll(async () => {
  gateway = await startHarness();
  ({ key } = await gateway.issueKey());
});
afterAll(() => gateway.close());

const create = (): Promise<DrivenLaunch> => reserveLaunch(gateway, key);
const digestOf = ({ created }: DrivenLaunch): Sha256Digest => created.requestSha256 as Sha256Digest;
const age = async ({ launchId }: DrivenLaunch, days: number): Promise<void> => {
  await runSql(gateway.database, `UPDATE launch SET updated_at = now() - $2 * interval '1 day' WHERE launch_id = $1`, [
    launchId,
    days,
  ]);
};
const isKept = (digest: Sha256Digest): Promise<boolean> => gateway.blobs.has(digest);
/** Sets aside due bytes, and removes bytes that were set aside before. */
const sweepTwice = async (): Promise<void> => {
  await gateway.refusedRequests.sweep(0);
  await gateway.refusedRequests.sweep(0);
};

describe('The bytes of a refused request', () => {
  it('are removed after their retention, and its replay answers as before', async () => {
    const [old, young] = [await create(), await create()];
    for (const one of [old, young]) await one.refused(true, 'COMPILER_ERROR');
    await age(old, 91);
    await age(young, 89);
    const before = await old.replay();
    await sweepTwice();
    expect([await isKept(digestOf(old)), await isKept(digestOf(young))]).toEqual([false, true]);
    const replayed = await old.replay();
    expect([replayed.status, codeOf(replayed)]).toEqual([before.status, codeOf(before)]);
    expect(codeOf(replayed)).toBe('MULTI_ROLE_EVIDENCE_REQUIRED');
    expect(codeOf(await old.replay(key, young.bytes))).toBe('IDEMPOTENCY_CONFLICT');
    expect((await old.get()).status).toBe(200);
  });

  it('stay while the launch is open, and for ever once it has a hand-off', async () => {
    const [open, authorized] = [await create(), await create()];
    await authorized.authorized();
    for (const one of [open, authorized]) await age(one, 1_000);
    await sweepTwice();
    expect([await isKept(digestOf(open)), await isKept(digestOf(authorized))]).toEqual([true, true]);
  });

  it('stay while another record names them, and its image stays while another launch shows it', async () => {
    const refused = await create();
    const other = await create();
    const [{ image }] = (await runSql<{ image: Sha256Digest }>(
      gateway.database,
      'SELECT image_sha256 AS image FROM launch WHERE launch_id = $1',
      [refused.launchId],
    )) as [{ image: Sha256Digest }];
    await refused.refused(true, 'COMPILER_ERROR');
    await age(refused, 91);
    // The other launch has the same image. A module of any author may contain the request itself as a file.
    const author = TEST_CONTROLLER as `0x${string}`;
    const { key: modules } = await gateway.issueKey(['modules:submit', 'modules:read'], author);
    const files = { ...MODULE_FILES, 'test/request.json': refused.bytes.toString() };
    const draft = await call(`${gateway.url}/v1/modules/submissions`, {
      key: modules,
      body: JSON.stringify(moduleSubmission(files, { author })),
      headers: { 'idempotency-key': `module-${randomUUID()}` },
    });
    expect(draft.status).toBe(201);
    await sweepTwice();
    expect([await isKept(digestOf(refused)), await isKept(image), await isKept(digestOf(other))]).toEqual([
      true,
      true,
      true,
    ]);
  });

  it('are restored for a create that found them stored just before they were set aside', async () => {
    const refused = await create();
    await refused.refused(true, 'COMPILER_ERROR');
    await age(refused, 91);
    await gateway.refusedRequests.sweep(DAY_MS);
    expect(Buffer.from(await gateway.blobs.get(digestOf(refused))).equals(refused.bytes)).toBe(true);
    // The row of that create commits now: the nonce is free again and the bytes are the same.
    const again = await call(gateway.base, { key, body: refused.bytes, headers: { 'idempotency-key': newKey() } });
    expect(again.status).toBe(202);
    await sweepTwice();
    expect(Buffer.from(await gateway.blobs.get(digestOf(refused))).equals(refused.bytes)).toBe(true);
  });
});
