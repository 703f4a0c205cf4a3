import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createFileBlobStore, type BlobStore } from '@launch/blob-store';
import { customLaunchFinding, finding } from '@launch/contracts/errors';
import { canonicalizeJson } from '@launch/contracts/json';
import type { ObservedStage, StatedHandoff } from '@launch/contracts/orchestration';
import type { PlanMode } from '@launch/contracts/plans';
import type { Hex, Sha256Digest } from '@launch/contracts/primitives';
import { planStatusOf, type RunningPlanStatus, type StepStatus } from '@launch/contracts/states';
import { createPool, Registry } from '@launch/platform';
import { createGatewayDatabase, type GatewayDatabase } from '@launch/prisma-api-gateway';
import { createTestDatabase, type TestDatabase } from '@launch/testing';
import {
  insertPlan,
  PLAN_VALID_AFTER,
  planHandoffOf,
  SEQUENTIAL_STEPS,
  type WrittenPlan,
} from '../../../fixtures/plan-rows.fixture.js';
import {
  CUSTOM_LAUNCH_TRANSACTION,
  customLaunchEvidence,
  customLaunchRecord,
} from '../../../fixtures/custom-launch.fixture.js';
import { runSql } from '../../../fixtures/run-sql.js';
import {
  signedRecord,
  signedSimulation,
  signedStepPoll,
  STATEMENT_KEYS,
  stepPoll,
} from '../../../fixtures/signed-results.fixture.js';
import type { LaunchRelayService } from '../../../core/launches/relay/launch-relay.service.js';
import { PlanRepository } from '../data/plan.repository.js';
import type { PlanRow } from '../data/plan.row.js';
import { CustomLaunchProjectionRepository } from '../../../core/projections/custom-launch-projection.repository.js';
import { CustomLaunchPublicationService } from '../../../core/projections/custom-launch-publication.service.js';
import { FamilyRepository } from '../../../core/projections/family.repository.js';
import { ProjectionService } from '../../../core/projections/projection.service.js';
import { StatedLaunchRepository } from '../../../core/projections/stated-launch.repository.js';
import { StatementVerifier } from '../../../core/projections/statement-verifier.js';
import { StoredDocuments } from '../../../core/projections/stored-documents.js';
import { PlanProjectionRepository } from '../data/plan-projection.repository.js';
import { PlanProjections } from './plan.projections.js';
import { PlanStepsService } from './plan-steps.service.js';
import { VerifiedPlanSteps } from './verified-plan-steps.js';

let test: TestDatabase;
let database: GatewayDatabase;
let blobs: BlobStore;
let dir: string;
let projections: ProjectionService;
let steps: VerifiedPlanSteps;
const started: string[] = [];
const lineageId = randomUUID();
const controller: Hex = `0x${'1'.repeat(40)}`;
const word = (digit: string): Hex => `0x${digit.repeat(64)}`;

beforeAll(async () => {
  test = await createTestDatabase('api-gateway');
  database = createGatewayDatabase(createPool({ connectionString: test.url, applicationName: 'plan-projections' }));
  dir = await mkdtemp(path.join(tmpdir(), 'plan-blobs-'));
  blobs = createFileBlobStore({ dir });
  projections = new ProjectionService(new FamilyRepository(database));
  const documents = new StoredDocuments(blobs);
  const relay = { startSoon: (planId: string) => void started.push(planId) } as unknown as LaunchRelayService;
  const plans = new PlanProjectionRepository(database);
  const launches = new CustomLaunchProjectionRepository(database);
  new PlanProjections(projections, plans, launches, relay, documents).onModuleInit();
  steps = new VerifiedPlanSteps({
    plans: new PlanStepsService(plans, launches, new CustomLaunchPublicationService(documents), documents),
    rows: new StatedLaunchRepository(database),
    statements: new StatementVerifier(STATEMENT_KEYS, new Registry()),
    clock: { now: () => 1_000_000 } as never,
  });
});
afterAll(async () => {
  await database?.close();
  await test?.drop();
  await rm(dir, { recursive: true, force: true });
});

const put = (document: object): Promise<Sha256Digest> => blobs.put(canonicalizeJson(document));
const readPlan = async ({ planId }: WrittenPlan): Promise<PlanRow> =>
  (await new PlanRepository(database).findOwned(planId, { readsLineageId: lineageId, controllers: [controller] }))!;
const holdsNonce = async ({ planId }: WrittenPlan): Promise<boolean> =>
  (await runSql(database, 'SELECT FROM nonce_reservation WHERE launch_id = $1', [planId])).length > 0;

async function reserved(mode: PlanMode = 'sequential'): Promise<WrittenPlan> {
  const plan = await insertPlan(database, { lineageId, controller, mode });
  await runSql(
    database,
    `INSERT INTO nonce_reservation (router, controller, nonce, launch_id) SELECT router, controller, nonce, launch_id FROM launch WHERE launch_id = $1`,
    [plan.planId],
  );
  return plan;
}

async function handedOff(mode: PlanMode = 'sequential') {
  const plan = await reserved(mode);
  const handoffSha256 = await put(planHandoffOf(plan, mode));
  await projections.recordHandoff({ launchId: plan.planId, handoffSha256 });
  return { plan, handoffSha256 };
}

const SIMULATION = { blockNumber: '9', blockHash: word('9'), gasUsed: '21000' };
const STAGES: Partial<Record<StepStatus, ObservedStage>> = {
  included: 'included',
  ethereum_posted: 'posted',
  finalized: 'finalized',
  reverted: 'reverted_finalized',
  expired: 'expired',
};
interface Reported {
  readonly stepId: string;
  readonly status: StepStatus;
  readonly simulation?: typeof SIMULATION;
  readonly evidenceSha256?: Sha256Digest;
}
const step = (stepId: string, status: StepStatus, more: Partial<Reported> = {}): Reported => ({
  stepId,
  status,
  ...more,
});
const offered = (stepId: string) => step(stepId, 'awaiting_signature', { simulation: SIMULATION });
const statedOf = async (plan: WrittenPlan): Promise<StatedHandoff> => {
  const stored = await new StatedLaunchRepository(database).find(plan.planId);
  return { ...stored!, handoffSha256: stored!.handoffSha256 ?? `sha256:${'0'.repeat(64)}` };
};
/** Records a poll of each step under this number. */
async function write(plan: WrittenPlan, number: number, ...reported: readonly Reported[]): Promise<void> {
  const stated = await statedOf(plan);
  await steps.recordPlanSteps({
    planId: plan.planId,
    sequence: number,
    steps: reported.map(({ stepId, status, simulation, evidenceSha256 }) => ({
      stepId,
      status,
      simulation: simulation === undefined ? null : signedSimulation(stated, stepId, simulation),
      observed: signedStepPoll(stated, stepId, stepPoll(STAGES[status] ?? 'pending', number, evidenceSha256)),
    })),
  });
}
const end = (plan: WrittenPlan, outcome: 'failed' | 'expired') =>
  steps.recordPlanEnded({ planId: plan.planId, sequence: 100, outcome, record: null });

describe('An admission of a plan', () => {
  it('that waits or has findings continues, and a refused one ends with its findings and frees the nonce', async () => {
    const plan = await reserved();
    await projections.recordAdmitting({ launchId: plan.planId, reason: 'CHAIN_INITIAL_BUY_USD_QUOTE_RETRY_REQUIRED' });
    expect(await readPlan(plan)).toMatchObject({
      status: 'admission_pending',
      statusReason: 'CHAIN_INITIAL_BUY_USD_QUOTE_RETRY_REQUIRED',
    });
    const findings = [
      finding('MULTI_ROLE_RUNTIME_OPCODE_FORBIDDEN', '/a'),
      customLaunchFinding('BUDGET_EXCEEDED', '/b'),
    ];
    await projections.recordRefused({ launchId: plan.planId, findings, nonceReleased: true });
    const refused = await readPlan(plan);
    expect([refused.status, refused.findings.map(({ code }) => code).sort()]).toEqual([
      'action_required',
      ['BUDGET_EXCEEDED', 'RUNTIME_OPCODE_FORBIDDEN'],
    ]);
    expect(await holdsNonce(plan)).toBe(false);
    await projections.recordHandoff({ launchId: plan.planId, handoffSha256: await put(planHandoffOf(plan)) });
    expect(await readPlan(plan)).toEqual(refused);
  });

  it.each(['failed', 'expired'] as const)(
    'ends the plan when it has %s, unless the plan is handed off',
    async (outcome) => {
      const record = (launchId: string) =>
        outcome === 'failed'
          ? projections.recordFailed({ launchId, findings: [finding('SIMULATION_REVERTED', '')], by: 'admission' })
          : projections.recordExpired({ launchId, by: 'admission' });
      const plan = await reserved();
      await record(plan.planId);
      expect((await readPlan(plan)).status).toBe(outcome);
      expect(await holdsNonce(plan)).toBe(true);
      const { plan: other } = await handedOff();
      await record(other.planId);
      expect((await readPlan(other)).status).toBe('awaiting_wallet');
    },
  );

  it('hands off a plan whose wallet cannot send a step yet, and starts the workflow of the plan', async () => {
    const { plan } = await handedOff();
    const row = await readPlan(plan);
    expect([row.status, row.steps.map(({ status, authorization }) => [status, authorization])]).toEqual([
      'awaiting_wallet',
      SEQUENTIAL_STEPS.map(() => ['blocked', null]),
    ]);
    expect(started).toContain(plan.planId);
  });
});

describe('A running plan', () => {
  it('offers the exact bytes of the hand-off once, and keeps them when a reorganisation moves it back', async () => {
    const { plan, handoffSha256 } = await handedOff();
    const { deadline } = planHandoffOf(plan);
    const first = {
      form: 'transaction.v1',
      from: plan.controller,
      to: plan.router,
      chainId: '4663',
      value: '0',
      data: '0x10',
      validAfter: String(PLAN_VALID_AFTER),
      deadline,
      requestSha256: plan.requestSha256,
      artifactSha256: handoffSha256,
      simulation: SIMULATION,
    };
    const moves: readonly (readonly [StepStatus, RunningPlanStatus])[] = [
      ['awaiting_signature', 'awaiting_wallet'],
      ['proof_received', 'in_progress'],
      ['included', 'in_progress'],
      ['proof_received', 'in_progress'],
      ['awaiting_signature', 'awaiting_wallet'],
      ['blocked', 'awaiting_wallet'],
      ['awaiting_signature', 'awaiting_wallet'],
      ['ethereum_posted', 'in_progress'],
      ['included', 'in_progress'],
      ['finalized', 'in_progress'],
    ];
    for (const [index, [status, planStatus]] of moves.entries()) {
      const later = status === 'awaiting_signature' ? { simulation: { ...SIMULATION, gasUsed: '1' } } : {};
      const simulated = index === 0 ? { simulation: SIMULATION } : later;
      await write(plan, 10 + index, step('deploy-token', status, simulated));
      const row = await readPlan(plan);
      expect([row.status, row.steps[0]]).toMatchObject([planStatus, { status, authorization: first }]);
      expect(row.status).toBe(planStatusOf(row.steps.map((one) => one.status)));
    }
    expect((await readPlan(plan)).steps[0]?.finality).toMatchObject({
      stage: 'ethereum_finalized',
      l1FinalizedCheckpoint: { common: '7' },
    });
  });

  it('is offered as one batch when it is Atomic', async () => {
    const { plan } = await handedOff('atomic');
    await write(plan, 1, offered('atomic-launch'));
    expect((await readPlan(plan)).steps[0]?.authorization).toEqual({
      form: 'atomic.v1',
      calls: [
        { to: plan.router, value: '0', data: '0x01' },
        { to: plan.router, value: '7', data: '0x02' },
      ],
      atomicRequired: true,
      capabilities: { '0x1237': { atomic: { status: 'supported' } } },
      validAfter: String(PLAN_VALID_AFTER),
      deadline: String(plan.deadline),
      digest: word('d'),
    });
  });

  it('stores all steps of an observation together, and none of an observation that is not newer', async () => {
    const { plan } = await handedOff();
    await write(plan, 10, offered('deploy-token'));
    await write(plan, 20, step('deploy-token', 'included'), offered('deploy-hook'));
    const now = await readPlan(plan);
    expect(now.steps.map(({ status }) => status)).toEqual(['included', 'awaiting_signature', 'blocked']);
    await write(plan, 20, step('deploy-token', 'proof_received'), step('deploy-hook', 'expired'));
    expect(await readPlan(plan)).toEqual(now);
    for (const number of [15, 1])
      await expect(
        write(plan, number, step('deploy-token', 'proof_received'), step('deploy-hook', 'expired')),
      ).rejects.toMatchObject({ code: 'STATEMENT_OUTDATED' });
    expect(await readPlan(plan)).toEqual(now);
  });

  it('shows no step before its hand-off, no unknown step, and no step as waiting that was never offered', async () => {
    await expect(write(await reserved(), 1, offered('deploy-token'))).rejects.toMatchObject({
      code: 'PROJECTION_MISMATCH',
      field: 'handoffSha256',
    });
    const { plan } = await handedOff();
    const before = await readPlan(plan);
    await expect(write(plan, 1, step('deploy-vault', 'blocked'))).rejects.toMatchObject({
      field: 'steps.stepId',
    });
    await expect(write(plan, 1, step('deploy-token', 'awaiting_signature'))).rejects.toMatchObject({
      code: 'STATEMENT_UNVERIFIED',
    });
    expect(await readPlan(plan)).toEqual(before);
  });

  it('keeps the end of a step when a later run starts from the beginning', async () => {
    const { plan } = await handedOff();
    await write(plan, 1, offered('deploy-token'));
    await write(plan, 2, step('deploy-token', 'finalized'));
    await write(plan, 3, step('deploy-token', 'blocked'), offered('deploy-hook'));
    expect((await readPlan(plan)).steps.map(({ status }) => status)).toEqual([
      'finalized',
      'awaiting_signature',
      'blocked',
    ]);
    await expect(
      runSql(database, `UPDATE plan_step SET "authorization" = '{}' WHERE plan_id = $1 AND step_id = 'deploy-token'`, [
        plan.planId,
      ]),
    ).rejects.toThrow('its authorization was offered');
  });
});

describe('A plan', () => {
  async function finalized(change: Parameters<typeof customLaunchRecord>[2] = {}) {
    const { plan } = await handedOff();
    const row = { ...plan, launchId: plan.planId };
    const evidenceSha256 = await put(customLaunchEvidence(row));
    const recordSha256 = await put(customLaunchRecord(row, evidenceSha256, { requestKind: 'plan', ...change }));
    for (const [index, stepId] of SEQUENTIAL_STEPS.entries())
      await write(plan, index + 1, step(stepId, 'finalized', { simulation: SIMULATION, evidenceSha256 }));
    const built = { recordSha256, evidenceSha256 };
    const record = { ...built, signed: signedRecord(await statedOf(plan), built) };
    const report = () => steps.recordPlanEnded({ planId: plan.planId, sequence: 50, outcome: 'finalized', record });
    return { plan, report };
  }

  it('is published once when it is finalized, in the feed of custom launches', async () => {
    const { plan, report } = await finalized();
    await report();
    await report();
    expect((await readPlan(plan)).status).toBe('finalized');
    const published = await runSql<{ feed: string; record: string }>(
      database,
      'SELECT feed, record FROM finalized_record WHERE launch_id = $1',
      [plan.planId],
    );
    expect(published.map(({ feed, record }) => [feed, JSON.parse(record).requestKind])).toEqual([
      ['custom-launch.v4', 'plan'],
    ]);
  });

  it('is held back with the reason when its record contradicts it', async () => {
    const { plan, report } = await finalized({ launchId: randomUUID() });
    await report();
    expect((await readPlan(plan)).status).toBe('finalized');
    expect(await runSql(database, 'SELECT reason FROM quarantined_record WHERE launch_id = $1', [plan.planId])).toEqual(
      [{ reason: 'record: launchId' }],
    );
  });

  it('cannot be finalized before its last step', async () => {
    const { plan } = await handedOff();
    const built = { recordSha256: await put({}), evidenceSha256: await put({}) };
    const record = { ...built, signed: signedRecord(await statedOf(plan), built) };
    await expect(
      steps.recordPlanEnded({ planId: plan.planId, sequence: 1, outcome: 'finalized', record }),
    ).rejects.toMatchObject({ code: 'STATEMENT_UNVERIFIED' });
  });

  it.each(['failed', 'expired'] as const)(
    'that has %s is not changed by late observations or other ends',
    async (outcome) => {
      const { plan } = await handedOff();
      await write(plan, 1, offered('deploy-token'));
      await expect(end(plan, outcome)).rejects.toMatchObject({ code: 'STATEMENT_UNVERIFIED' });
      const [first, ...others] = SEQUENTIAL_STEPS;
      const last = step(first, outcome === 'failed' ? 'reverted' : 'expired');
      await write(plan, 2, last, ...others.map((stepId) => step(stepId, 'expired')));
      await end(plan, outcome);
      const ended = await readPlan(plan);
      expect([ended.status, ended.findings.map(({ code, actual }) => [code, actual])]).toEqual([
        outcome,
        outcome === 'failed'
          ? [['LAUNCH_REVERTED', `step deploy-token, transaction ${CUSTOM_LAUNCH_TRANSACTION}`]]
          : [],
      ]);
      await end(plan, outcome);
      await write(plan, 3, step('deploy-token', 'included'));
      await expect(end(plan, outcome === 'failed' ? 'expired' : 'failed')).rejects.toMatchObject({
        code: 'STATEMENT_UNVERIFIED',
      });
      expect(await readPlan(plan)).toEqual(ended);
    },
  );
});
