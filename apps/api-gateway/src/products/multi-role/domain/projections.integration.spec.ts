import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { canonicalizeJson } from '@launch/contracts/json';
import type { LaunchResource } from '@launch/contracts/multi-role';
import { call } from '../../../fixtures/http.client.js';
import { startHarness, type Harness } from '../../../fixtures/gateway.harness.js';
import { reserveLaunch, type DrivenLaunch } from '../../../fixtures/launch.driver.js';
import {
  finalizedFinality,
  includedFinality,
  LAUNCH_TRANSACTION,
  testAssessment,
  testFindings,
  testHandoff,
  testRecord,
} from '../../../fixtures/test-documents.js';
import { runSql } from '../../../fixtures/run-sql.js';

let gateway: Harness;
let key: string;
let createOnly: string;
beforeAll(async () => {
  gateway = await startHarness();
  const issued = await gateway.issueKey();
  key = issued.key;
  // Makes a create-only key of the same lineage. No command makes one and the database refuses the change, so the
  // test bypasses its guard.
  const next = await gateway.credentials.rotate(issued.credentialId, 3_600);
  await runSql(gateway.database, 'ALTER TABLE credential DISABLE TRIGGER USER');
  await runSql(gateway.database, 'UPDATE credential SET scopes = $2 WHERE credential_id = $1', [
    next?.credentialId,
    ['custom-launch:create'],
  ]);
  await runSql(gateway.database, 'ALTER TABLE credential ENABLE TRIGGER USER');
  createOnly = next?.key ?? '';
});
afterAll(() => gateway.close());

const put = async (document: object) => gateway.blobs.put(canonicalizeJson(document));
const seen = async (launch: DrivenLaunch): Promise<LaunchResource> => (await launch.get()).json as LaunchResource;

describe('Hand-offs', () => {
  it('A hand-off is shown byte for byte to readers, is never shown to create-only keys, and starts the observation.', async () => {
    const launch = await reserveLaunch(gateway, key);
    await launch.authorized();
    const handoff = testHandoff(launch.created);
    expect((await seen(launch)).wallet).toEqual(handoff);
    const replayed = await launch.replay(createOnly);
    expect([replayed.status, replayed.json.wallet]).toEqual([200, null]);
    expect((await launch.replay()).json.wallet).toEqual(handoff);
    expect(gateway.workflows.observations.map(({ launchId }) => launchId)).toContain(launch.launchId);
  });
});

describe('Projections', () => {
  it('A projection gives the reason admission waits until there is a hand-off, and ignores a late reason.', async () => {
    const launch = await reserveLaunch(gateway, key);
    const waiting = () =>
      gateway.projections.recordAdmitting({ launchId: launch.launchId, reason: 'CONTROLLER_FUNDS_MISSING' });
    await launch.admitting();
    expect((await seen(launch)).statusReason).toBeNull();
    await waiting();
    await launch.admitting();
    const first = await seen(launch);
    expect([first.status, first.statusReason]).toEqual(['admitting', 'CONTROLLER_FUNDS_MISSING']);
    await waiting();
    expect(await seen(launch)).toEqual(first);
    await launch.authorized();
    await waiting();
    const after = await seen(launch);
    expect([after.status, after.statusReason]).toEqual(['authorized', null]);
  });

  it('A projection moves forward only, also under repeated and late calls.', async () => {
    const launch = await reserveLaunch(gateway, key);
    const { launchId } = launch;
    await launch.admitting();
    await launch.authorized();
    const authorized = await seen(launch);
    await launch.admitting();
    await gateway.projections.recordAssessment({
      launchId,
      assessment: testAssessment('rejected', ['COMPILER_ERROR']),
      findings: testFindings('COMPILER_ERROR'),
    });
    await gateway.projections.recordRefused({
      launchId,
      findings: testFindings('COMPILER_ERROR'),
      nonceReleased: true,
    });
    expect(await seen(launch)).toEqual(authorized);
    await gateway.projections.recordSubmitted({ launchId, transactionHash: LAUNCH_TRANSACTION });
    await gateway.projections.recordAwaitingSignature({ launchId });
    expect((await seen(launch)).status).toBe('submitted');
    const held = await runSql(gateway.database, 'SELECT 1 FROM nonce_reservation WHERE launch_id = $1', [launchId]);
    expect(held).toHaveLength(1);
  });

  it('A refused launch ends but keeps its nonce while it cannot be released, and releases it later.', async () => {
    const launch = await reserveLaunch(gateway, key);
    const { launchId } = launch;
    const refused = (nonceReleased: boolean) =>
      gateway.projections.recordRefused({ launchId, findings: testFindings('COMPILER_ERROR'), nonceReleased });
    const held = async () =>
      (await runSql(gateway.database, 'SELECT 1 FROM nonce_reservation WHERE launch_id = $1', [launchId])).length;
    await refused(false);
    const ended = await seen(launch);
    expect([ended.status, await held()]).toEqual(['action_required', 1]);
    await refused(true);
    expect([await seen(launch), await held()]).toEqual([ended, 0]);
  });

  it('Finality can fall back to an earlier stage, but an older observation never replaces a newer one.', async () => {
    const launch = await reserveLaunch(gateway, key);
    const { launchId } = launch;
    await launch.authorized();
    const look = (second: number, state: 'pending' | 'included') => {
      const observedAt = `2026-11-20T10:00:0${second}.000Z`;
      const included = includedFinality(launchId, observedAt);
      return state === 'included' ? included : { ...included, state, inclusion: null, transactionHash: null };
    };
    const before = (await seen(launch)).updatedAt;
    await gateway.projections.recordFinality({ launchId, finality: look(2, 'included') });
    await gateway.projections.recordFinality({ launchId, finality: look(3, 'pending') });
    await gateway.projections.recordFinality({ launchId, finality: look(1, 'included') });
    const now = await seen(launch);
    expect([now.finality.state, now.finality.observation?.at, now.updatedAt]).toEqual([
      'pending',
      '2026-11-20T10:00:03.000Z',
      before,
    ]);
  });

  it('A launch is finalized once, with its record, and without a new timestamp.', async () => {
    const launch = await reserveLaunch(gateway, key);
    const { launchId } = launch;
    await launch.authorized();
    const before = await seen(launch);
    await launch.finalized();
    await launch.finalized();
    const after = await seen(launch);
    // The projection is the recorded one, with its checkpoint also named as the common one.
    const recorded = finalizedFinality(launchId);
    expect(after).toEqual({
      ...before,
      status: 'finalized',
      finality: { ...recorded, checkpoint: { ...recorded.checkpoint, common: '7' } },
    });
    await gateway.projections.recordFailed({ launchId, findings: testFindings('LAUNCH_REVERTED') });
    await gateway.projections.recordExpired({ launchId });
    await gateway.projections.recordFinality({
      launchId,
      finality: includedFinality(launchId, '2030-01-01T00:00:00.000Z'),
    });
    expect(await seen(launch)).toEqual(after);
    const record = testRecord(launch.created);
    const again = async (change: Partial<typeof record>) =>
      gateway.projections.recordFinalized({
        launchId,
        recordSha256: await put({ ...record, ...change }),
        finality: finalizedFinality(launchId),
      });
    const published = (await call(`${gateway.base}/finalized/${launch.created.onchainLaunchId}`)).json;
    // A reset observation observes again, later. The record that was published first stays.
    await again({ finalizedAt: '2026-11-21T00:00:00.000Z' });
    expect((await call(`${gateway.base}/finalized/${launch.created.onchainLaunchId}`)).json).toEqual(published);
    const l2Block = { ...record.provenance.l2Block, hash: `0x${'9'.repeat(64)}` as const };
    await expect(again({ provenance: { ...record.provenance, l2Block } })).rejects.toMatchObject({
      code: 'PROJECTION_CONFLICT',
    });
    expect(await seen(launch)).toEqual(after);
  });

  it('A late run of admission never ends a launch that has a hand-off.', async () => {
    const launch = await reserveLaunch(gateway, key);
    const { launchId } = launch;
    await launch.authorized();
    const authorized = await seen(launch);
    await gateway.projections.recordFailed({ launchId, findings: testFindings('INTERNAL'), by: 'admission' });
    await gateway.projections.recordExpired({ launchId, by: 'admission' });
    expect(await seen(launch)).toEqual(authorized);
    await gateway.projections.recordExpired({ launchId });
    expect((await seen(launch)).status).toBe('expired');
    const [faulted, late] = [await reserveLaunch(gateway, key), await reserveLaunch(gateway, key)];
    const findings = testFindings('INTERNAL');
    await gateway.projections.recordFailed({ launchId: faulted.launchId, findings, by: 'admission' });
    await gateway.projections.recordExpired({ launchId: late.launchId, by: 'admission' });
    expect([(await seen(faulted)).status, (await seen(late)).status]).toEqual(['failed', 'expired']);
  });

  it('Many concurrent publications get gapless numbers.', async () => {
    const launches = await Promise.all(Array.from({ length: 12 }, () => reserveLaunch(gateway, key)));
    await Promise.all(launches.map((launch) => launch.authorized()));
    await Promise.all(launches.map((launch) => launch.finalized()));
    const rows = await runSql<{ publication_number: string }>(
      gateway.database,
      'SELECT publication_number FROM finalized_record ORDER BY publication_number',
    );
    expect(rows.map((row) => Number(row.publication_number))).toEqual(rows.map((_row, index) => index + 1));
    const feed = await call(`${gateway.base}/finalized`);
    expect((feed.json.items as { apiLaunchId: string }[]).map(({ apiLaunchId }) => apiLaunchId)).toEqual(
      expect.arrayContaining(launches.map(({ launchId }) => launchId)),
    );
  });
});

describe('Constraints of the database', () => {
  it.each([
    ['a change of a final status', "UPDATE launch SET status = 'submitted' WHERE launch_id = $1"],
    ['a change of a hand-off', "UPDATE launch SET handoff = '{}' WHERE launch_id = $1"],
    ['a change of an assessment', "UPDATE launch SET assessment = '{}' WHERE launch_id = $1"],
    ['a change of a reserved request', "UPDATE launch SET request_hash = '0x' WHERE launch_id = $1"],
    ['a change of a published record', "UPDATE finalized_record SET record = '{}' WHERE launch_id = $1"],
    ['the removal of a published record', 'DELETE FROM finalized_record WHERE launch_id = $1'],
    ["a change of a key's binding", "UPDATE idempotency_record SET body_sha256 = '' WHERE resource_id = $1"],
  ])('The database refuses %s.', async (_name, sql) => {
    const launch = await reserveLaunch(gateway, key);
    await launch.authorized();
    await launch.finalized();
    await expect(runSql(gateway.database, sql, [launch.launchId])).rejects.toMatchObject({ code: '23000' });
  });
});
