import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sha256Digest, type Hex } from '@launch/contracts/primitives';
import { startHarness, type Harness } from '../../../fixtures/gateway.harness.js';
import { planOwner } from '../../../fixtures/plan-owner.fixture.js';
import { runSql } from '../../../fixtures/run-sql.js';

let gateway: Harness;
beforeAll(async () => {
  gateway = await startHarness();
});
afterAll(() => gateway.close());

const handoffSha256 = sha256Digest(Buffer.from('a hand-off'));
const hash = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`;

describe('The relay of plans', () => {
  it('starts a handed-off plan with its named transactions, and signals undelivered ones to a running plan', async () => {
    const { controller, plan } = await planOwner(gateway);
    const written = await plan({ status: 'awaiting_wallet', steps: ['awaiting_signature'], offered: 1, handoffSha256 });
    const { planId, requestSha256, requestHash, deadline } = written;
    for (const number of [1, 2])
      await runSql(
        gateway.database,
        `INSERT INTO step_proof (plan_id, step_id, transaction_hash, registered_at, delivered_at)
         VALUES ($1, 'deploy-token', $2, now() + $3 * interval '1 second', CASE WHEN $3 = 1 THEN now() END)`,
        [planId, hash(number), number],
      );
    await gateway.relay.move({ kind: 'launch', id: planId });
    expect(gateway.workflows.plans.filter((one) => one.planId === planId)).toEqual([
      {
        planId,
        requestSha256,
        requestHash,
        handoffSha256,
        controller,
        deadline: String(deadline),
        proofs: [1, 2].map((number) => ({ stepId: 'deploy-token', transactionHash: hash(number) })),
        evenIfCompleted: false,
      },
    ]);
    expect(gateway.workflows.proofs.filter((one) => one.planId === planId)).toEqual([
      { planId, stepId: 'deploy-token', transactionHash: hash(2) },
    ]);
    const undelivered = await runSql(
      gateway.database,
      'SELECT 1 FROM step_proof WHERE plan_id = $1 AND delivered_at IS NULL',
      [planId],
    );
    expect(undelivered).toEqual([]);
  });

  it('admits a plan that has no hand-off yet, and leaves an ended one alone', async () => {
    const { plan } = await planOwner(gateway);
    const [pending, ended] = [await plan(), await plan({ status: 'expired', handoffSha256 })];
    for (const { planId } of [pending, ended]) await gateway.relay.move({ kind: 'launch', id: planId });
    expect(gateway.workflows.admissions).toContain(pending.planId);
    expect(gateway.workflows.admissions).not.toContain(ended.planId);
    expect(gateway.workflows.plans.map(({ planId }) => planId)).not.toContain(ended.planId);
  });
});
