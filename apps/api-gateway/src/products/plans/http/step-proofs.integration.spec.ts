import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { planResourceSchema, planResourceV11Schema } from '@launch/contracts/plans';
import type { PlanResponseVersion } from '@launch/contracts/launch';
import type { Hex } from '@launch/contracts/primitives';
import type { StepStatus } from '@launch/contracts/states';
import { startHarness, type Harness } from '../../../fixtures/gateway.harness.js';
import { call, newKey } from '../../../fixtures/http.client.js';
import {
  planOwner,
  PLANS_PATH,
  RESPONSE_VERSION,
  planErrorOf,
  wholePlan,
  type PlanOwner,
} from '../../../fixtures/plan-owner.fixture.js';
import { insertPlan } from '../../../fixtures/plan-rows.fixture.js';
import { runSql } from '../../../fixtures/run-sql.js';
import { StepProofRepository } from '../data/step-proof.repository.js';

let gateway: Harness;
beforeAll(async () => {
  gateway = await startHarness();
});
afterAll(() => gateway.close());

describe('A step proof', () => {
  const hash = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`;
  const proof = (transactionHash: string, more: object = {}) =>
    JSON.stringify({ transactionHash, schemaVersion: 'service.custom-launch-plan-step-proof.v1', ...more }, null, 1);
  const send = (
    planId: string,
    key: string,
    body: string,
    { stepId = 'deploy-token', as = newKey(), version = '1.0' as PlanResponseVersion } = {},
  ) =>
    call(`${gateway.url}${PLANS_PATH}/${planId}/steps/${stepId}/proofs`, {
      key,
      body,
      headers: { 'idempotency-key': as, [RESPONSE_VERSION]: version },
    });
  const waiting = (of: PlanOwner, first: StepStatus = 'awaiting_signature') =>
    of.plan({ status: 'awaiting_wallet', steps: [first], offered: 1 });

  it('returns 202 once and 200 afterwards, is shown as unseen, and is signalled to the running plan', async () => {
    const of = await planOwner(gateway);
    const { planId } = await waiting(of);
    const as = newKey();
    const first = await send(planId, of.key, proof(hash(1)), { as });
    const resource = planResourceSchema.parse(first.json);
    expect([first.status, first.headers.get('location'), first.headers.has('idempotency-replayed')]).toEqual([
      202,
      resource.resumeUrl,
      false,
    ]);
    expect(resource.steps[0]).toMatchObject({
      status: 'awaiting_signature',
      transactions: [{ transactionHash: hash(1), source: 'hint', status: 'unseen' }],
    });
    expect(gateway.workflows.proofs).toContainEqual({ planId, stepId: 'deploy-token', transactionHash: hash(1) });

    const again = await send(planId, of.key, proof(hash(1)), { as, version: '1.1' });
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
    expect(planResourceV11Schema.parse(again.json).steps[0]?.transactions).toHaveLength(1);
    const known = await send(planId, of.key, proof(hash(1)));
    expect([known.status, known.headers.has('idempotency-replayed')]).toEqual([200, false]);
    const other = await send(planId, of.key, proof(hash(2)), { as });
    expect(planErrorOf(other)).toEqual([409, 'IDEMPOTENCY_CONFLICT', '1.0']);
    expect(other.json.statusUrl).toBe(resource.resumeUrl);
  });

  it('is accepted from a key that can only create, which sees no authorization', async () => {
    const of = await planOwner(gateway);
    const creating = await gateway.issueKey(['custom-launch:create'], of.controller);
    const { lineageId, controller } = { ...of, ...creating };
    const written = await insertPlan(gateway.database, {
      lineageId,
      controller,
      status: 'awaiting_wallet',
      steps: ['awaiting_signature'],
      offered: 1,
    });
    const answer = await send(written.planId, creating.key, proof(hash(1)));
    expect([answer.status, planResourceSchema.parse(answer.json).steps[0]?.authorization]).toEqual([202, null]);
    // Of another lineage of the same wallet, and of a key that may only read.
    expect(planErrorOf(await send(written.planId, of.key, proof(hash(1))))).toEqual([422, 'PLAN_NOT_FOUND', '1.0']);
    const reading = await gateway.issueKey(['custom-launch:read'], of.controller);
    expect(planErrorOf(await send(written.planId, reading.key, proof(hash(1))))).toEqual([
      401,
      'INSUFFICIENT_SCOPE',
      '1.0',
    ]);
  });

  it('is accepted for 16 distinct hashes of a step, also concurrent ones', async () => {
    const of = await planOwner(gateway);
    const { planId } = await waiting(of);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => send(planId, of.key, proof(hash(index)))),
    );
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(16);
    for (const full of answers.filter(({ status }) => status !== 202))
      expect(planErrorOf(full)).toEqual([422, 'PROOF_LIMIT_REACHED', '1.0']);
  });

  it.each<[string, StepStatus, string, number, string | null]>([
    ['an offered step', 'included', 'deploy-token', 202, null],
    ['a step whose predecessor a reorganisation took back', 'blocked', 'deploy-token', 202, null],
    ['a finalized step', 'finalized', 'deploy-token', 200, null],
    ['a step that was never offered', 'included', 'deploy-hook', 422, 'STEP_NOT_READY'],
    ['a step that the plan does not have', 'included', 'deploy-vault', 422, 'PLAN_NOT_FOUND'],
    ['a malformed step', 'included', 'Deploy%20Token', 422, 'PLAN_NOT_FOUND'],
  ])('for %s is accepted or refused by the state of the step', async (_which, status, stepId, expected, code) => {
    const of = await planOwner(gateway);
    const { planId } = await waiting(of, status);
    const answer = await send(planId, of.key, proof(hash(3)), { stepId });
    expect([answer.status, code === null ? null : planErrorOf(answer)[1]]).toEqual([expected, code]);
    const shown = (await wholePlan(gateway, planId, of.key)).steps[0]?.transactions;
    expect(shown).toHaveLength(expected === 202 ? 1 : 0);
  });

  it('binds its idempotency key for thirty days', async () => {
    const of = await planOwner(gateway);
    const { planId } = await waiting(of);
    const [old, young] = [newKey(), newKey()];
    for (const [as, days] of [
      [old, 31],
      [young, 29],
    ] as const) {
      await send(planId, of.key, proof(hash(1)), { as });
      await runSql(
        gateway.database,
        `UPDATE step_proof_key SET created_at = now() - $2 * interval '1 day' WHERE idempotency_key = $1`,
        [as, days],
      );
    }
    await new StepProofRepository(gateway.database).sweep();
    expect(planErrorOf(await send(planId, of.key, proof(hash(2)), { as: young }))[1]).toBe('IDEMPOTENCY_CONFLICT');
    expect((await send(planId, of.key, proof(hash(2)), { as: old })).status).toBe(202);
  });

  it('is kept for the running plan while none runs or Temporal is away', async () => {
    const of = await planOwner(gateway);
    const { planId } = await waiting(of);
    gateway.workflows.down = true;
    try {
      expect((await send(planId, of.key, proof(hash(9)))).status).toBe(202);
    } finally {
      gateway.workflows.down = false;
    }
    const [row] = await runSql<{ delivered: boolean }>(
      gateway.database,
      'SELECT delivered_at IS NOT NULL AS delivered FROM step_proof WHERE plan_id = $1',
      [planId],
    );
    expect(row).toEqual({ delivered: false });
  });
});
