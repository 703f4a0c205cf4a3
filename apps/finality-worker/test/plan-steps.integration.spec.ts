import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createFileBlobStore, type BlobStore } from '@launch/blob-store';
import { DEFAULT_LOG_SEARCH, DEFAULT_POLL_PACE } from '@launch/chain';
import { customLaunchFinalizedSchema } from '@launch/contracts/custom-launch';
import type { CustomLaunchContext } from '@launch/contracts/launch';
import { canonicalizeJson, isCanonical, parseStrictJson } from '@launch/contracts/json';
import type { ObservedStage } from '@launch/contracts/orchestration';
import { planStepEvidenceSchema, type PlanMode, type PlanStepEvidence } from '@launch/contracts/plans';
import { sha256Digest, type Hex } from '@launch/contracts/primitives';
import { startDevnet, type Devnet } from '@launch/devnet';
import { createPool } from '@launch/platform';
import { openFinalityDatabase, type FinalityDatabase } from '@launch/prisma-finality';
import { createTestDatabase, type TestDatabase } from '@launch/testing';
import { admin } from '../../../tools/devnet/test/devnet.harness.js';
import { buildDevelopmentCustomLaunchContext } from '../../../tools/start/src/development-context.js';
import { createObservationRepository } from '../src/observation/observation.repository.js';
import { observePlanStep, type StepDependencies, type UnsignedStepPoll } from '../src/plans/observe-step.service.js';
import { readPlanSteps, storePlanRecord } from '../src/plans/plan-record.js';
import { createPlanLoader } from '../src/plans/plan.loader.js';
import { createStepObservationRepository } from '../src/plans/step-observation.repository.js';
import { verifyEvidence } from '../../../clients/verify/src/commands/evidence.command.js';
import { observersOf } from './fixtures/devnet-launch.fixture.js';
import { preparePlan, type PreparedPlan } from './fixtures/plan.fixture.js';

jest.setTimeout(180_000);

let dir: string;
let devnet: Devnet;
let test: TestDatabase;
let pool: ReturnType<typeof createPool>;
let database: FinalityDatabase;
let blobs: BlobStore;
let context: CustomLaunchContext;
let deps: StepDependencies;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'launch-plan-steps-'));
  [devnet, test] = await Promise.all([
    startDevnet({ dir: join(dir, 'devnet'), finalitySeconds: 4, keepState: false, idleBlockMs: 0 }),
    createTestDatabase('finality'),
  ]);
  pool = createPool({ connectionString: test.url, applicationName: 'plan-step-tests' });
  database = openFinalityDatabase(pool);
  blobs = createFileBlobStore({ dir: join(dir, 'blobs') });
  context = buildDevelopmentCustomLaunchContext(devnet);
  deps = {
    l2: observersOf(devnet, '4663'),
    l1: observersOf(devnet, '1'),
    blobs,
    plans: createPlanLoader(blobs, { load: async () => context }),
    steps: createStepObservationRepository(database),
    observations: createObservationRepository(database),
    pace: DEFAULT_POLL_PACE,
    expectedMs: { submitted: 20_000, included: 60_000, posted: 90_000 },
    logSearch: DEFAULT_LOG_SEARCH,
    now: Date.now,
  };
});
afterAll(async () => {
  await database?.$disconnect();
  await pool?.end();
  await test?.drop();
  await devnet?.stop();
  await rm(dir, { recursive: true, force: true });
});

const FOUND: readonly ObservedStage[] = ['included', 'posted', 'finalized'];

/** Polls a plan's steps like its workflow, passing each poll to the next. */
class Watched {
  private readonly polls = new Map<string, UnsignedStepPoll>();

  constructor(readonly plan: PreparedPlan) {}

  async poll(stepId: string, hints: readonly Hex[] = []): Promise<UnsignedStepPoll> {
    const before = this.polls.get(stepId) ?? null;
    const result = await observePlanStep(deps, { ...this.plan.ref, stepId, hints, before });
    this.polls.set(stepId, result);
    return result;
  }

  /** Polls until the step has one of the stages. */
  async until(stepId: string, stages: readonly ObservedStage[]): Promise<UnsignedStepPoll> {
    for (const end = Date.now() + 150_000; ; await delay(150)) {
      const result = await this.poll(stepId);
      if (stages.includes(result.memory.stage)) return result;
      if (Date.now() > end) throw new Error(`${stepId} is ${result.memory.stage}: ${result.observation.reason}`);
    }
  }
}

async function handedOff(nonce: bigint, mode: PlanMode): Promise<Watched> {
  const planId = `3f2b8a4e-0000-4000-8000-${nonce.toString().padStart(12, '0')}`;
  const plan = await preparePlan(devnet, context, { nonce, mode, planId });
  await Promise.all([plan.requestBytes, plan.handoffBytes].map((bytes) => blobs.put(bytes)));
  return new Watched(plan);
}

const control = async (path: string, body?: object) => {
  const answer = await admin(devnet, 'POST', path, body);
  expect([path, answer.status]).toEqual([path, 200]);
};

async function evidenceOf({ evidenceSha256 }: UnsignedStepPoll): Promise<PlanStepEvidence> {
  if (evidenceSha256 === null) throw new TypeError('a finalized poll has its evidence');
  const bytes = await blobs.get(evidenceSha256);
  expect(isCanonical(bytes)).toBe(true);
  const text = Buffer.from(bytes).toString();
  for (const { url } of [...devnet.rpc['4663'], ...devnet.rpc['1']]) expect(text).not.toContain(new URL(url).host);
  return planStepEvidenceSchema.parse(parseStrictJson(bytes));
}

/** Returns the failed checks of evidence with everything pinned; no check may be left out. */
async function failed(evidence: PlanStepEvidence, requestBytes: Uint8Array): Promise<string[]> {
  const bytes = canonicalizeJson(evidence);
  const { checkpoint, inclusion } = evidence.conclusion;
  const pins = { checkpoint: checkpoint?.blockHash ?? '', l2Block: inclusion?.blockHash ?? '' };
  const verdict = await verifyEvidence(bytes, { digest: sha256Digest(bytes), request: requestBytes, ...pins });
  expect(verdict).toMatchObject({ notChecked: [], details: { stepId: evidence.handoff.step.stepId } });
  return (verdict.checks ?? []).filter((check) => check.verdict === 'fail').map(({ check }) => check);
}

describe('The steps of a sequential plan', () => {
  it('are found by the router’s events alone, fall with a reorganisation, and are finalized with their evidence', async () => {
    const watched = await handedOff(51n, 'sequential');
    const { plan } = watched;
    const { stepIds } = plan;
    expect(stepIds).toHaveLength(4);
    expect((await readPlanSteps(deps, plan.ref)).steps.map(({ stepId, dependsOn }) => [stepId, dependsOn])).toEqual(
      stepIds.map((stepId, index) => [stepId, index === 0 ? [] : [stepIds[index - 1]]]),
    );
    const [first, second] = stepIds as [string, string];
    expect((await watched.poll(first)).memory.stage).toBe('pending');

    await control('/chains/1/hold-posting');
    const hash = await plan.send(first);
    expect(await watched.until(first, FOUND)).toMatchObject({
      memory: { transactionHash: hash },
      transactions: [{ transactionHash: hash, source: 'observed', status: 'included' }],
    });
    // A hint for the next step gets its own status and changes no stage.
    const unknown: Hex = `0x${'7'.repeat(64)}`;
    const misled = await watched.poll(second, [hash, unknown]);
    expect([misled.memory.stage, misled.transactions.map(({ status }) => status)]).toEqual([
      'pending',
      ['not_this_step', 'not_found'],
    ]);

    await control('/chains/4663/reorg', { dropTransaction: hash });
    const gone = await watched.until(first, ['pending', 'submitted']);
    expect([gone.memory.inclusion, gone.transactions.map(({ status }) => status)]).toEqual([null, ['not_found']]);
    await control('/chains/4663/restore');
    expect((await watched.until(first, FOUND)).memory.transactionHash).toBe(hash);
    for (const stepId of stepIds.slice(1)) {
      const sent = await plan.send(stepId);
      expect((await watched.until(stepId, FOUND)).memory.transactionHash).toBe(sent);
    }
    await control('/chains/1/resume-posting');

    const ends = [];
    for (const stepId of stepIds) ends.push(await watched.until(stepId, ['finalized']));
    const evidence = await Promise.all(ends.map(evidenceOf));
    expect(
      evidence.map(({ provenBy, handoff, proofs }) => [handoff.step.stepId, provenBy, proofs?.state.kind]),
    ).toEqual(
      stepIds.map((stepId, index) =>
        index < 3 ? [stepId, 'transaction_and_code', 'code-proof'] : [stepId, 'transaction_and_stamp', 'proof'],
      ),
    );
    expect(evidence.every(({ proofs }) => proofs?.inclusion.kind === 'proof')).toBe(true);
    for (const one of evidence)
      expect([one.handoff.step.stepId, await failed(one, plan.requestBytes)]).toEqual([one.handoff.step.stepId, []]);
    const [deploy, , , register] = evidence as [PlanStepEvidence, PlanStepEvidence, PlanStepEvidence, PlanStepEvidence];
    const other: Hex = `0x${'0'.repeat(64)}`;
    const withStep = (change: object): PlanStepEvidence => {
      const { handoff } = deploy;
      return planStepEvidenceSchema.parse({ ...deploy, handoff: { ...handoff, step: { ...handoff.step, ...change } } });
    };
    for (const [bent, check] of [
      [withStep({ stepId: 'register' }), 'pin.request.step'],
      [withStep({ ordinal: 1 }), 'handoff.entryPoints'],
      [{ ...deploy, handoff: evidence[1]!.handoff }, 'rule.outcome'],
      [{ ...deploy, provenBy: 'transaction_and_stamp' as const }, 'provenBy'],
      [{ ...deploy, proofs: { ...deploy.proofs!, state: evidence[1]!.proofs!.state } }, 'proof.state.component'],
      [{ ...deploy, proofs: { ...deploy.proofs!, state: register.proofs!.state } }, 'proof.state.kind'],
      [{ ...register, launch: { ...register.launch, permitDigest: other } }, 'handoff.permitDigest'],
      [{ ...register, launch: { ...register.launch, onchainLaunchId: other } }, 'launch.onchainLaunchId'],
      [{ ...register, exchanges: register.exchanges.slice(1) }, 'rule.outcome'],
    ] as const)
      expect(await failed(bent, plan.requestBytes)).toContain(check);
    expect(await database.stepObservation.count({ where: { planId: plan.ref.planId, stage: 'finalized' } })).toBe(4);

    const last = ends.at(-1)!;
    const { recordSha256 } = await storePlanRecord(deps, {
      ...plan.ref,
      memory: last.memory,
      evidenceSha256: last.evidenceSha256!,
      finalizedAt: last.observation.at,
    });
    expect(customLaunchFinalizedSchema.parse(parseStrictJson(await blobs.get(recordSha256)))).toMatchObject({
      launchId: plan.ref.planId,
      requestKind: 'plan',
      onchain: { transactionHash: last.memory.transactionHash, routerLaunchId: evidence[3]!.launch.onchainLaunchId },
      evidence: { sha256: last.evidenceSha256 },
    });
  });
});

describe('An atomic plan', () => {
  it('is found and finalized by its stamp, in any transaction of the wallet', async () => {
    const watched = await handedOff(52n, 'atomic');
    const { plan } = watched;
    const stepId = 'atomic-launch';
    expect(plan.stepIds).toEqual([stepId]);
    const hash = await plan.send(stepId);
    const end = await watched.until(stepId, ['finalized']);
    expect(end.memory.transactionHash).toBe(hash);
    const evidence = await evidenceOf(end);
    expect([evidence.provenBy, evidence.handoff.step.kind, evidence.proofs?.state.kind]).toEqual([
      'stamp',
      'atomic_launch',
      'proof',
    ]);
    expect(await failed(evidence, plan.requestBytes)).toEqual([]);
    const { step } = evidence.handoff;
    if (step.kind !== 'atomic_launch') throw new TypeError('an atomic plan is one batch');
    const bent = { ...step, calls: [...step.calls.slice(1), step.calls[0]!] };
    expect(await failed({ ...evidence, handoff: { ...evidence.handoff, step: bent } }, plan.requestBytes)).toContain(
      'handoff.entryPoints',
    );
  });
});
