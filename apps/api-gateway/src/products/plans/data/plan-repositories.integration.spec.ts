import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CustomLaunchFinding } from '@launch/contracts/errors';
import { PLAN_LIMITS, type PlanMode } from '@launch/contracts/plans';
import { sha256Digest, type Hex, type Sha256Digest } from '@launch/contracts/primitives';
import { RowShapeError } from '@launch/platform';
import type { GatewayDatabase } from '@launch/prisma-api-gateway';
import { openGatewayDatabase, type OpenedDatabase } from '../../../fixtures/gateway-database.js';
import { insertPlan, type PlanChoice } from '../../../fixtures/plan-rows.fixture.js';
import { runSql } from '../../../fixtures/run-sql.js';
import { PlanProjectionRepository } from './plan-projection.repository.js';
import { PlanRepository, type PlanPosition } from './plan.repository.js';
import { StepProofRepository, type NewProof } from './step-proof.repository.js';

const CONTROLLER: Hex = `0x${'1'.repeat(40)}`;
const OTHER: Hex = `0x${'2'.repeat(40)}`;
const anyWord = (): Hex => `0x${randomBytes(32).toString('hex')}`;
const anyDigest = (): Sha256Digest => sha256Digest(randomBytes(8));

let opened: OpenedDatabase;
let database: GatewayDatabase;
let plans: PlanRepository;
let proofs: StepProofRepository;
let projections: PlanProjectionRepository;
beforeAll(async () => {
  opened = await openGatewayDatabase();
  ({ database } = opened);
  plans = new PlanRepository(database);
  proofs = new StepProofRepository(database);
  projections = new PlanProjectionRepository(database);
});
afterAll(() => opened.close());

const planOf = (choice: Partial<PlanChoice> = {}) =>
  insertPlan(database, { lineageId: randomUUID(), controller: CONTROLLER, ...choice });

describe('The repository of plans', () => {
  it('reads a plan with its steps in order, and shows it to its owner alone', async () => {
    const lineageId = randomUUID();
    const plan = await planOf({
      lineageId,
      status: 'in_progress',
      steps: ['finalized', 'awaiting_signature'],
      offered: 2,
    });
    const { planId, planDigest, requestSha256, contextHash } = plan;
    const owner = { readsLineageId: lineageId, controllers: [OTHER, CONTROLLER] };
    expect(await plans.findOwned(planId, owner)).toEqual(
      expect.objectContaining({
        planId,
        planDigest,
        requestSha256,
        contextHash,
        controller: CONTROLLER,
        deadline: 4_000_000_000n,
        status: 'in_progress',
        mode: 'sequential',
        findings: [],
        successorId: null,
        steps: [
          expect.objectContaining({
            stepId: 'deploy-token',
            ordinal: 0,
            dependsOn: [],
            status: 'finalized',
            proofs: [],
          }),
          expect.objectContaining({
            stepId: 'deploy-hook',
            dependsOn: ['deploy-token'],
            authorization: expect.objectContaining({ form: 'transaction.v1' }),
          }),
          expect.objectContaining({ stepId: 'register', kind: 'register', status: 'blocked', authorization: null }),
        ],
      }),
    );
    expect([
      await plans.findOwned(planId, { ...owner, controllers: [OTHER] }),
      await plans.findOwned(planId, { ...owner, readsLineageId: randomUUID() }),
      await plans.findOwned(planId, { readsLineageId: null, controllers: [OTHER] }),
      await plans.findOwned(randomUUID(), owner),
    ]).toEqual([null, null, null, null]);
    expect(await plans.findOwned(planId, { ...owner, readsLineageId: null })).toMatchObject({ planId });
    const { planId: successorId } = await planOf({ predecessorId: planId });
    expect(await plans.findOwned(planId, owner)).toMatchObject({ successorId });
  });

  it('lists pages of the wanted modes, the newest first, and counts the Atomic plans that a page leaves out', async () => {
    const lineageId = randomUUID();
    const owner = { readsLineageId: lineageId, controllers: [CONTROLLER] };
    const at = (day: number) => new Date(Date.UTC(2026, 0, day));
    const made: readonly [number, PlanMode][] = [
      [5, 'sequential'],
      [4, 'atomic'],
      [3, 'atomic'],
      [3, 'sequential'],
      [2, 'atomic'],
      [1, 'sequential'],
    ];
    for (const [day, mode] of made) await planOf({ lineageId, mode, createdAt: at(day) });
    await planOf({ lineageId, controller: OTHER });
    const all = await plans.listOwned(owner, ['sequential', 'atomic'], 9, null);
    expect(all.map(({ createdAt }) => createdAt)).toEqual([5, 4, 3, 3, 2, 1].map(at));
    const tie = all.slice(2, 4).map(({ planId }) => planId);
    expect(tie).toEqual([...tie].sort());
    const first = await plans.listOwned(owner, ['sequential'], 1, null);
    expect(first.map(({ createdAt, mode }) => [createdAt, mode])).toEqual([
      [at(5), 'sequential'],
      [at(3), 'sequential'],
    ]);
    const next = await plans.listOwned(owner, ['sequential', 'atomic'], 9, all[2] ?? null);
    expect(next).toEqual(all.slice(3));
    const omitted = (after: PlanPosition | null | undefined, last: PlanPosition | null | undefined) =>
      plans.countAtomic(owner, after ?? null, last ?? null);
    const atomicIn = (from: number, to: number) => all.slice(from, to).filter(({ mode }) => mode === 'atomic').length;
    expect([
      await omitted(null, null),
      await omitted(null, all[2]),
      await omitted(all[2], all[4]),
      await omitted(all[4], null),
    ]).toEqual([3, atomicIn(0, 3), atomicIn(3, 5), 0]);
  });

  it('refuses a plan with a proof that is not a hash', async () => {
    const lineageId = randomUUID();
    const { planId } = await planOf({ lineageId });
    await runSql(
      database,
      `INSERT INTO step_proof (plan_id, step_id, transaction_hash) VALUES ($1, 'register', 'no hash')`,
      [planId],
    );
    const found = plans.findOwned(planId, { readsLineageId: lineageId, controllers: [CONTROLLER] });
    await expect(found).rejects.toThrow(RowShapeError);
    await expect(proofs.named(planId)).rejects.toThrow();
  });
});

describe('The repository of step proofs', () => {
  const offered = () => planOf({ status: 'in_progress', steps: ['awaiting_signature'], offered: 1 });
  const proofOf = (planId: string, more: Partial<NewProof> = {}): NewProof => ({
    planId,
    stepId: 'deploy-token',
    transactionHash: anyWord(),
    key: randomUUID(),
    bodySha256: anyDigest(),
    ...more,
  });

  it('registers a hash once, and binds each key of a step to its bytes', async () => {
    const { planId } = await offered();
    const proof = proofOf(planId);
    expect(await proofs.bodyOf(proof, proof.key)).toBeNull();
    expect(await proofs.register(proof)).toBe('registered');
    expect(await proofs.bodyOf(proof, proof.key)).toBe(proof.bodySha256);
    expect(await proofs.bodyOf({ planId, stepId: 'register' }, proof.key)).toBeNull();
    expect([
      await proofs.register(proof),
      await proofs.register({ ...proof, bodySha256: anyDigest() }),
      await proofs.register({ ...proof, key: 'another', bodySha256: anyDigest() }),
    ]).toEqual(['known', 'taken', 'known']);
    expect(await proofs.named(planId)).toEqual([
      { stepId: 'deploy-token', transactionHash: proof.transactionHash, delivered: false },
    ]);
  });

  it('registers no hash for a step that was never offered, is absent, or has ended', async () => {
    const { planId } = await planOf({ status: 'in_progress', steps: ['finalized', 'blocked'], offered: 1 });
    expect([
      await proofs.register(proofOf(planId, { stepId: 'deploy-hook' })),
      await proofs.register(proofOf(planId, { stepId: 'absent' })),
      await proofs.register(proofOf(planId)),
    ]).toEqual(['not-ready', 'not-ready', 'known']);
    expect(await proofs.named(planId)).toEqual([]);
  });

  it('accepts as many hashes as the limit from concurrent requests, and none after them', async () => {
    const { planId } = await offered();
    const outcomes = await Promise.all(
      Array.from({ length: PLAN_LIMITS.proofsPerStep + 3 }, () => proofs.register(proofOf(planId))),
    );
    expect(outcomes.filter((outcome) => outcome === 'registered')).toHaveLength(PLAN_LIMITS.proofsPerStep);
    expect(outcomes.filter((outcome) => outcome === 'full')).toHaveLength(3);
  });

  it('lists proofs in the order of their registration, with their delivery', async () => {
    const { planId } = await offered();
    const [first, second] = [proofOf(planId), proofOf(planId)];
    for (const proof of [first, second]) await proofs.register(proof);
    await runSql(
      database,
      `UPDATE step_proof SET registered_at = registered_at - interval '1 hour' WHERE transaction_hash = $1`,
      [second.transactionHash],
    );
    await proofs.noteDelivered(first, first.transactionHash);
    expect((await proofs.named(planId)).map(({ transactionHash, delivered }) => [transactionHash, delivered])).toEqual([
      [second.transactionHash, false],
      [first.transactionHash, true],
    ]);
  });

  it('deletes keys after thirty days and keeps the proofs', async () => {
    const { planId } = await offered();
    const [old, young] = [proofOf(planId), proofOf(planId)];
    for (const proof of [old, young]) await proofs.register(proof);
    const age = (proof: NewProof, days: number) =>
      runSql(
        database,
        `UPDATE step_proof_key SET created_at = now() - $2 * interval '1 day' WHERE idempotency_key = $1`,
        [proof.key, days],
      );
    await age(old, 31);
    await age(young, 29);
    await proofs.sweep();
    expect([await proofs.bodyOf(old, old.key), await proofs.bodyOf(young, young.key)]).toEqual([
      null,
      young.bodySha256,
    ]);
    expect(await proofs.named(planId)).toHaveLength(2);
  });
});

describe('The repository of plan projections', () => {
  const findings = [{ code: 'SOME_ERROR', severity: 'error' }] as unknown as readonly CustomLaunchFinding[];
  const rowOf = async (planId: string) =>
    database.prisma.launch.findUniqueOrThrow({
      where: { launchId: planId },
      select: { status: true, statusReason: true, findings: true, handoffSha256: true },
    });
  const FOUND = JSON.stringify(findings);

  it('moves an admission with its reason and findings, and ends it once', async () => {
    const { planId } = await planOf();
    expect([await projections.stateOf(planId), await projections.stateOf(randomUUID())]).toEqual([
      expect.objectContaining({ status: 'admission_pending' }),
      null,
    ]);
    await projections.waits(planId, 'CHAIN_UNAVAILABLE');
    await projections.found(planId, findings);
    expect(await rowOf(planId)).toMatchObject({ status: 'admission_pending', findings: FOUND });
    await projections.endedByAdmission(planId, 'failed', findings);
    await projections.endedByAdmission(planId, 'expired', []);
    await projections.handedOff(planId, anyDigest(), 3);
    expect(await rowOf(planId)).toEqual({
      status: 'failed',
      statusReason: 'SOME_ERROR',
      findings: FOUND,
      handoffSha256: null,
    });
  });

  it('releases the nonce of a refused plan only where custody permits it', async () => {
    for (const releaseNonce of [false, true]) {
      const { planId, router, controller } = await planOf();
      await runSql(
        database,
        'INSERT INTO nonce_reservation (router, controller, nonce, launch_id) VALUES ($1, $2, $3, $4)',
        [router, controller, randomUUID(), planId],
      );
      await projections.refused(planId, findings, releaseNonce);
      expect(await rowOf(planId)).toMatchObject({ status: 'action_required', statusReason: 'SOME_ERROR' });
      const held = await database.prisma.nonceReservation.count({ where: { launchId: planId } });
      expect(held).toBe(releaseNonce ? 0 : 1);
    }
  });

  it('keeps the first end of a plan', async () => {
    const { planId } = await planOf();
    const handoffSha256 = anyDigest();
    await projections.handedOff(planId, handoffSha256, 3);
    await projections.endedByAdmission(planId, 'failed', findings);
    expect(await rowOf(planId)).toMatchObject({ status: 'awaiting_wallet', handoffSha256 });
    expect([
      await projections.end(planId, 'expired', []),
      await projections.end(planId, 'expired', []),
      await projections.end(planId, 'failed', findings),
      await projections.finalize(planId, anyWord(), anyDigest(), { recordSha256: anyDigest(), quarantine: 'x' }),
      await projections.end(randomUUID(), 'expired', []),
    ]).toEqual([true, true, false, false, false]);
    expect(await rowOf(planId)).toMatchObject({ status: 'expired', statusReason: 'PERMIT_EXPIRED' });
    expect(await database.prisma.quarantinedRecord.count()).toBe(0);
  });
});
