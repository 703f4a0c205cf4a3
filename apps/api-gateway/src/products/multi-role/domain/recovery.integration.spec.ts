import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { canonicalizeJson } from '@launch/contracts/json';
import { DERIVED_CONTRACT_FINALITY_V3, finalityReadinessSchema } from '@launch/contracts/multi-role';
import type { RecoveryReport } from '@launch/contracts/orchestration';
import { call } from '../../../fixtures/http.client.js';
import { startHarness, type Harness } from '../../../fixtures/gateway.harness.js';
import { reserveLaunch, type DrivenLaunch } from '../../../fixtures/launch.driver.js';
import {
  insertCustomLaunch,
  customLaunchFinality,
  customLaunchHandoff,
} from '../../../fixtures/custom-launch.fixture.js';
import { requestBytes, testContext } from '../../../fixtures/test-request.js';
import { runSql } from '../../../fixtures/run-sql.js';

const ROUTER = testContext().chainDeployment.router.address;
const V3_CONTEXT = testContext({ derivedContractFinality: DERIVED_CONTRACT_FINALITY_V3 });
const word = (digit: string): `0x${string}` => `0x${digit.repeat(64)}`;

/** Two deployments over one database: an earlier one of V2 and the current one of V3. */
let v2: Harness;
let v3: Harness;
let key: string;
beforeAll(async () => {
  v2 = await startHarness();
  v3 = await startHarness({ beside: v2, context: V3_CONTEXT });
  ({ key } = await v2.issueKey());
});
afterAll(async () => {
  await v3.close();
  await v2.close();
});

const launchOf = async (at: Harness, generation: 'v2' | 'v3'): Promise<DrivenLaunch> => {
  const launch = await reserveLaunch(at, key, generation === 'v3' ? { context: V3_CONTEXT } : {});
  await launch.authorized();
  return launch;
};

describe('The recovery', () => {
  const stamp = (launch: DrivenLaunch, transactionHash = word('5')) => ({
    onchainLaunchId: launch.created.onchainLaunchId,
    transactionHash,
  });
  afterEach(() => runSql(v3.database, 'DELETE FROM recovery_report'));

  it('searches the current router from the earliest block that can contain the oldest open launch', async () => {
    await launchOf(v3, 'v3');
    expect(await v3.recovery.recoveryTargets()).toEqual([{ router: ROUTER, fromBlock: '1' }]);
    await runSql(v3.database, `UPDATE launch SET status = 'expired' WHERE status = 'authorized'`);
    expect(await v3.recovery.recoveryTargets()).toEqual([{ router: ROUTER, fromBlock: null }]);
  });

  it('signals a found hash to the observation and keeps it for later ones, beside sixteen wrong hints', async () => {
    const launch = await launchOf(v3, 'v3');
    for (let index = 0; index < 16; index += 1) {
      const transactionHash = `0x${index.toString(16).padStart(64, '0')}`;
      await call(`${v3.url}${launch.created.statusUrl}/transaction-hints-v3`, {
        key,
        body: requestBytes({ schemaVersion: 'service.multi-role-transaction-hint.v3', transactionHash }),
      });
    }
    expect(
      await v3.recovery.resolveStamps({
        router: ROUTER,
        stamps: [stamp(launch), { onchainLaunchId: word('9'), transactionHash: word('1') }],
      }),
    ).toEqual({ woken: 1 });
    expect(v3.workflows.signals).toContainEqual({ launchId: launch.launchId, transactionHash: word('5') });
    await runSql(v3.database, 'UPDATE launch SET relay_after = now() WHERE launch_id = $1', [launch.launchId]);
    await v3.relay.sweep();
    expect(v3.workflows.observations.findLast(({ launchId }) => launchId === launch.launchId)?.hints).toHaveLength(17);
    expect(await v3.recovery.resolveStamps({ router: ROUTER, stamps: [stamp(launch)] })).toEqual({ woken: 1 });
  });

  it('also searches router V1 for open custom launches, and does not report them to the multi-role API', async () => {
    const row = await insertCustomLaunch(v3.database);
    const router = `0x${'7'.repeat(40)}` as const;
    const of = { ...row, router };
    await runSql(v3.database, 'ALTER TABLE launch DISABLE TRIGGER USER');
    await runSql(v3.database, 'UPDATE launch SET router = $2 WHERE launch_id = $1', [row.launchId, router]);
    await runSql(v3.database, 'ALTER TABLE launch ENABLE TRIGGER USER');
    const { launchId, onchainLaunchId } = row;
    await v3.projections.recordHandoff({
      launchId,
      handoffSha256: await v3.blobs.put(canonicalizeJson(customLaunchHandoff(of))),
    });
    await v3.projections.recordFinality({
      launchId,
      finality: customLaunchFinality(launchId, 'included'),
      sequence: 1,
    });
    expect(await v3.recovery.recoveryTargets()).toContainEqual({ router, fromBlock: '1' });
    const stamps = [{ onchainLaunchId, transactionHash: word('5') }];
    expect(await v3.recovery.resolveStamps({ router, stamps })).toEqual({ woken: 1 });
    expect(v3.workflows.signals).toContainEqual({ launchId, transactionHash: word('5') });
    await v3.recovery.recordRecovery({
      router,
      checkpoint: null,
      head: null,
      observation: 'indeterminate',
      reason: 'x',
    });
    const { json } = await call(`${v3.base}/derived-finality-v3/readiness`);
    expect(JSON.stringify(json)).not.toContain(router);
    await v3.projections.recordExpired({ launchId, sequence: 2 });
    expect((await v3.recovery.recoveryTargets()).map((target) => target.router)).not.toContain(router);
  });

  it('begins an observation where none runs, even after one that completed', async () => {
    const launch = await launchOf(v3, 'v3');
    v3.workflows.running = false;
    try {
      await v3.recovery.resolveStamps({ router: ROUTER, stamps: [stamp(launch)] });
    } finally {
      v3.workflows.running = true;
    }
    expect(v3.workflows.observations).toContainEqual({
      launchId: launch.launchId,
      hints: [word('5')],
      evenIfCompleted: true,
    });
  });

  it('fails while Temporal is unavailable, and is repeated', async () => {
    const launch = await launchOf(v3, 'v3');
    v3.workflows.down = true;
    try {
      await expect(v3.recovery.resolveStamps({ router: ROUTER, stamps: [stamp(launch)] })).rejects.toThrow('no server');
    } finally {
      v3.workflows.down = false;
    }
  });

  it('ignores launches that are finished, foreign, or without a hand-off', async () => {
    const [finished, early] = [await launchOf(v3, 'v3'), await reserveLaunch(v3, key, { context: V3_CONTEXT })];
    await finished.finalized();
    const stamps = [stamp(finished), stamp(early)];
    expect(await v3.recovery.resolveStamps({ router: ROUTER, stamps })).toEqual({ woken: 0 });
    const open = await launchOf(v3, 'v3');
    expect(await v3.recovery.resolveStamps({ router: `0x${'3'.repeat(40)}`, stamps: [stamp(open)] })).toEqual({
      woken: 0,
    });
  });

  const readiness = async () =>
    finalityReadinessSchema.parse((await call(`${v3.base}/derived-finality-v3/readiness`)).json);
  const report = (more: Partial<RecoveryReport> = {}): RecoveryReport => ({
    router: ROUTER,
    checkpoint: { blockNumber: '90', blockHash: word('b') },
    head: { blockNumber: '100', blockHash: word('c') },
    observation: 'agreed',
    reason: null,
    ...more,
  });

  it('reports its checkpoint, lag and status in the capabilities', async () => {
    expect(await readiness()).toMatchObject({ reasonCodes: ['RECOVERY_NEVER_REPORTED'], recovery: null });
    await v3.recovery.recordRecovery(report({ head: { blockNumber: '5000', blockHash: word('c') } }));
    expect(await readiness()).toMatchObject({ status: 'catching_up', recovery: { lagBlocks: '4910' } });
    await v3.recovery.recordRecovery(report());
    expect(await readiness()).toMatchObject({
      status: 'ready',
      reasonCodes: [],
      recovery: { router: ROUTER, checkpoint: { blockNumber: '90' }, head: { blockNumber: '100' }, lagBlocks: '10' },
    });
  });

  it('reports the search of exactly the routers with open launches', async () => {
    const earlier = `0x${'3'.repeat(40)}` as const;
    const launch = await launchOf(v3, 'v3');
    // A reservation is never changed, so the test bypasses the database's guard to make a launch of an earlier
    // release.
    await runSql(v3.database, 'ALTER TABLE launch DISABLE TRIGGER USER');
    await runSql(v3.database, 'UPDATE launch SET router = $2 WHERE launch_id = $1', [launch.launchId, earlier]);
    await runSql(v3.database, 'ALTER TABLE launch ENABLE TRIGGER USER');
    await v3.recovery.recordRecovery(report());
    await v3.recovery.recordRecovery(
      report({ router: earlier, observation: 'indeterminate', reason: 'stamps: l2-a and l2-b disagree' }),
    );
    expect(await readiness()).toMatchObject({ status: 'unavailable', recovery: { router: earlier } });
    await runSql(v3.database, `UPDATE launch SET status = 'expired' WHERE launch_id = $1`, [launch.launchId]);
    expect(await readiness()).toMatchObject({ status: 'ready', recovery: { router: ROUTER } });
  });
});
