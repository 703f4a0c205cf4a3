import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ApplicationFailure, type ActivityFunction } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createFileBlobStore, type BlobStore } from '@launch/blob-store';
import { ethereumFeedInputs, gatewayInputs, planGatewayInputs } from '@launch/contracts/activities';
import { canonicalizeJson } from '@launch/contracts/json';
import type { SignedStepPoll, StatedHandoff, StepProjection } from '@launch/contracts/orchestration';
import type { Sha256Digest } from '@launch/contracts/primitives';
import { Registry } from '@launch/platform';
import { CustomLaunchProjectionRepository } from '../core/projections/custom-launch-projection.repository.js';
import { CustomLaunchPublicationService } from '../core/projections/custom-launch-publication.service.js';
import { StatedLaunchRepository } from '../core/projections/stated-launch.repository.js';
import { StatementVerifier } from '../core/projections/statement-verifier.js';
import { StoredDocuments } from '../core/projections/stored-documents.js';
import { customLaunchEvidence, customLaunchRecord } from '../fixtures/custom-launch.fixture.js';
import { openGatewayDatabase, type OpenedDatabase } from '../fixtures/gateway-database.js';
import { insertPlan, planHandoffOf, SEQUENTIAL_STEPS, type WrittenPlan } from '../fixtures/plan-rows.fixture.js';
import { runSql } from '../fixtures/run-sql.js';
import {
  SIGNERS,
  signedRecord,
  signedSimulation,
  signedStepPoll,
  STATEMENT_KEYS,
  stepPoll,
} from '../fixtures/signed-results.fixture.js';
import { PlanProjectionRepository } from '../products/plans/data/plan-projection.repository.js';
import { PlanStepsService } from '../products/plans/domain/plan-steps.service.js';
import { planWork, VerifiedPlanSteps } from '../products/plans/domain/verified-plan-steps.js';
import { createGatewayActivities } from './gateway.activities.js';

const NOW = 1_000_000;
const SIMULATION = { blockNumber: '9', blockHash: `0x${'9'.repeat(64)}`, gasUsed: '21000' } as const;
let opened: OpenedDatabase;
let dir: string;
let blobs: BlobStore;
let metrics: Registry;
let functions: Record<string, ActivityFunction>;

beforeAll(async () => {
  opened = await openGatewayDatabase();
  dir = await mkdtemp(path.join(tmpdir(), 'forged-plan-results-'));
  blobs = createFileBlobStore({ dir });
  metrics = new Registry();
  const documents = new StoredDocuments(blobs);
  const { database } = opened;
  const verified = new VerifiedPlanSteps({
    plans: new PlanStepsService(
      new PlanProjectionRepository(database),
      new CustomLaunchProjectionRepository(database),
      new CustomLaunchPublicationService(documents),
      documents,
    ),
    rows: new StatedLaunchRepository(database),
    statements: new StatementVerifier(STATEMENT_KEYS, metrics),
    clock: { now: () => NOW } as never,
  });
  const names = Object.keys({ ...gatewayInputs, ...planGatewayInputs, ...ethereumFeedInputs });
  const uncalled = Object.fromEntries(names.map((name) => [name, () => Promise.reject(new Error(name))]));
  const work = { ...uncalled, ...planWork(verified) };
  functions = createGatewayActivities(work as never, () => undefined).functions as never;
});
afterAll(async () => {
  await opened?.close();
  await rm(dir, { recursive: true, force: true });
});

let written: WrittenPlan;
let plan: StatedHandoff;
const put = (document: object): Promise<Sha256Digest> => blobs.put(canonicalizeJson(document));
/** Calls an activity as a task that any workflow of the namespace scheduled. */
const call = (name: string, input: object): Promise<unknown> =>
  new MockActivityEnvironment().run(functions[name] as ActivityFunction<[unknown]>, JSON.parse(JSON.stringify(input)));
const shown = async (): Promise<unknown[]> => {
  const rowsOf = (table: string, key: string) =>
    runSql<Record<string, unknown>>(opened.database, `SELECT * FROM ${table} WHERE ${key} = $1`, [plan.launchId]);
  return [
    ...(await rowsOf('launch', 'launch_id')),
    ...[...(await rowsOf('plan_step', 'plan_id'))].sort((a, b) => Number(a['ordinal']) - Number(b['ordinal'])),
    ...(await rowsOf('finalized_record', 'launch_id')),
  ];
};
const statusOf = async (): Promise<unknown> => ((await shown())[0] as { status: string }).status;
/** Expects a call to fail for good by this code, and to change nothing. */
async function changesNothing(name: string, input: object, code = 'STATEMENT_UNVERIFIED'): Promise<void> {
  const before = await shown();
  const failure: unknown = await call(name, input).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ApplicationFailure);
  expect(failure).toMatchObject({ type: code, nonRetryable: true });
  expect(await shown()).toEqual(before);
}
const step = (stepId: string, status: StepProjection['status'], more: Partial<StepProjection> = {}) => ({
  stepId,
  status,
  simulation: null,
  observed: null,
  ...more,
});
const moves = (sequence: number, ...steps: readonly object[]) => ({ planId: plan.launchId, sequence, steps });

describe('A forged, altered, swapped or replayed result about a plan', () => {
  beforeEach(async () => {
    written = await insertPlan(opened.database, {
      lineageId: randomUUID(),
      controller: `0x${'1'.repeat(40)}`,
      status: 'awaiting_wallet',
    });
    const handoffSha256 = await put(planHandoffOf(written));
    await runSql(opened.database, 'UPDATE launch SET handoff_sha256 = $2 WHERE launch_id = $1', [
      written.planId,
      handoffSha256,
    ]);
    plan = (await new StatedLaunchRepository(opened.database).find(written.planId)) as StatedHandoff;
  });

  it('of admission offers no step to the wallet', async () => {
    const other = { ...plan, launchId: randomUUID() };
    const honest = signedSimulation(plan, 'deploy-token', SIMULATION);
    const offer = (simulation: object) => moves(1, { ...step('deploy-token', 'awaiting_signature'), simulation });
    for (const simulation of [
      signedSimulation(plan, 'deploy-token', SIMULATION, SIGNERS.foreign),
      signedSimulation(plan, 'deploy-token', SIMULATION, SIGNERS.finality),
      signedSimulation(other, 'deploy-token', SIMULATION),
      signedSimulation(plan, 'deploy-hook', SIMULATION),
      { ...honest, gasUsed: '1' },
    ])
      await changesNothing('recordPlanSteps', offer(simulation));
    await changesNothing('recordPlanSteps', moves(1, step('deploy-token', 'awaiting_signature')));

    await call('recordPlanSteps', offer(honest));
    expect((await shown())[1]).toMatchObject({ status: 'awaiting_signature' });
  });

  it('of the finality worker moves no step', async () => {
    const included = stepPoll('included', 2);
    const real = signedStepPoll(plan, 'deploy-token', included);
    const another = { ...plan, handoffSha256: `sha256:${'7'.repeat(64)}` } as const;
    const move = (observed: SignedStepPoll) => moves(1, step('deploy-token', 'included', { observed }));
    for (const observed of [
      signedStepPoll(plan, 'deploy-token', included, SIGNERS.foreign),
      signedStepPoll(plan, 'deploy-token', included, SIGNERS.admission),
      signedStepPoll(plan, 'deploy-hook', included),
      signedStepPoll(another, 'deploy-token', included),
      { ...real, memory: { ...real.memory, stage: 'finalized' as const } },
      { ...real, memory: { ...real.memory, polls: 9 } },
      { ...real, transactions: [] },
    ])
      await changesNothing('recordPlanSteps', move(observed));
    for (const status of ['included', 'ethereum_posted', 'finalized', 'reverted', 'expired'] as const)
      await changesNothing('recordPlanSteps', moves(1, step('deploy-token', status)));
    // One honest step does not carry a forged one.
    const carried = moves(1, step('deploy-token', 'included', { observed: real }), step('register', 'finalized'));
    await changesNothing('recordPlanSteps', carried);
    await changesNothing('recordPlanSteps', moves(NOW * 2, step('deploy-token', 'blocked')), 'PROJECTION_MISMATCH');

    await call('recordPlanSteps', move(real));
    expect(await statusOf()).toBe('in_progress');
    const pending = signedStepPoll(plan, 'deploy-token', stepPoll('pending', 1));
    const replayed = moves(2, step('deploy-token', 'blocked', { observed: pending }));
    await changesNothing('recordPlanSteps', replayed, 'STATEMENT_OUTDATED');
    await changesNothing('recordPlanSteps', moves(3, step('deploy-token', 'blocked')));
    // A repetition of Temporal is answered like the first call.
    await call('recordPlanSteps', move(real));
  });

  it('ends no plan and publishes no record', async () => {
    const { launchId: planId } = plan;
    const row = { ...written, launchId: planId };
    const evidenceSha256 = await put(customLaunchEvidence(row));
    const recordSha256 = await put(customLaunchRecord(row, evidenceSha256, { requestKind: 'plan' }));
    const built = { recordSha256, evidenceSha256 };
    const ends = (outcome: string, record: object | null = null) => ({ planId, sequence: 9, outcome, record });
    const publish = (signed = signedRecord(plan, built)) => ends('finalized', { ...built, signed });
    for (const forged of [ends('failed'), ends('expired'), publish()]) await changesNothing('recordPlanEnded', forged);

    const finalized = stepPoll('finalized', 3, evidenceSha256);
    const steps = SEQUENTIAL_STEPS.map((stepId) =>
      step(stepId, 'finalized', { observed: signedStepPoll(plan, stepId, finalized) }),
    );
    await call('recordPlanSteps', moves(1, ...steps));
    const another = { ...plan, launchId: randomUUID() };
    for (const signed of [
      signedRecord(plan, built, SIGNERS.admission),
      signedRecord(another, built),
      signedRecord(plan, { ...built, recordSha256: evidenceSha256 }),
    ])
      await changesNothing('recordPlanEnded', publish(signed));
    for (const outcome of ['failed', 'expired']) await changesNothing('recordPlanEnded', ends(outcome));
    await changesNothing('recordPlanEnded', ends('finalized'), 'PROJECTION_MISMATCH');

    await call('recordPlanEnded', publish());
    expect(await statusOf()).toBe('finalized');
    await call('recordPlanEnded', publish());
    const refusals = await metrics.getSingleMetricAsString('launch_statements_refused_total');
    for (const [activity, reason] of [
      ['recordPlanSteps', 'altered'],
      ['recordPlanSteps', 'unsigned'],
      ['recordPlanSteps', 'outdated'],
      ['recordPlanEnded', 'altered'],
      ['recordPlanEnded', 'unsigned'],
    ])
      expect(refusals).toMatch(
        new RegExp(`launch_statements_refused_total\\{activity="${activity}",reason="${reason}"\\} [1-9]`, 'u'),
      );
  });
});
