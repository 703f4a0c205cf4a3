import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { NativeConnection } from '@temporalio/worker';
import type { Sha256Digest } from '@launch/contracts';
import type { REVIEW_UPDATES } from '@launch/contracts/orchestration';
import {
  nextReviewState,
  reviewWorkflowId,
  TASK_QUEUES,
  WORKFLOW_TYPES,
  type BuildInput,
  type BuildVerdict,
  type ModuleReviewActivities,
  type ReviewAnswer,
  type ReviewMove,
  type ReviewRecord,
  type ReviewSubject,
} from '@launch/contracts/orchestration';
import { connectTemporal, type TemporalClient } from '@launch/temporal';
import { startTemporal, type TemporalServer } from '@launch/temporal-server';
import {
  bundleWorkflows,
  connectWorkers,
  createServiceWorker,
  installTemporalRuntime,
  type ServiceWorker,
} from '@launch/worker/scripted';

jest.setTimeout(180_000);

const digest = (digit: string): Sha256Digest => `sha256:${digit.repeat(64)}`;
const BUILT: Extract<BuildVerdict, { status: 'built' }> = {
  status: 'built',
  artifactSha256: digest('1'),
  hostManifestSha256: digest('2'),
  toolchainSha256: digest('3'),
  logsSha256: digest('4'),
  findingsSha256: digest('5'),
  signature: 'ab'.repeat(64),
};
const UNSIGNED = { ...BUILT, signature: 'cd'.repeat(64) };
const FAILED: BuildVerdict = { status: 'failed', code: 'COMPILER_ERROR', place: 'ParserError 6275 at a.sol:0-1' };
const TOO_LARGE = { code: 'MODULE_BUILD_PROFILE_CAPACITY_EXCEEDED', place: 'packagedBytes' } as const;
const PLAN = digest('a');
const FOREIGN_PLAN = digest('b');
const LARGE_PLAN = digest('c');
const FORGED = digest('d');

interface Review {
  record: ReviewRecord;
  /** What a build comes to, attempt by attempt; an error is a lost builder. */
  readonly builds: readonly (BuildVerdict | Error)[];
  readonly moves: ReviewMove[];
  /** What the gateway was told, as `revision state attempt`. */
  readonly told: string[];
}
const reviews = new Map<string, Review>();
const of = (id: string): Review => reviews.get(id)!;

/** The database: compare-and-set, and the same move again answers what it led to. */
const review: ModuleReviewActivities = {
  openReview: async ({ submissionId }) => of(submissionId).record,
  judgePlan: async ({ planSha256 }) =>
    planSha256 === FOREIGN_PLAN
      ? { code: 'PLAN_MISMATCH', place: '/submissionDigest' }
      : planSha256 === LARGE_PLAN
        ? TOO_LARGE
        : null,
  judgeDecision: async ({ decisionSha256 }) => (decisionSha256 === FORGED ? 'REVIEW_SIGNATURE_INVALID' : null),
  prepareBuild: async (input) => ({
    input: { ...input, earlier: [] },
    question: { reviewerPolicyDigest: digest('9'), nonce: `0x${'9'.repeat(64)}` },
  }),
  checkBuild: async ({ build }) => build.signature !== UNSIGNED.signature,
  async moveReview(move) {
    const one = of(move.submissionId);
    if (one.record.revision === move.revision) {
      const state = nextReviewState(one.record.state, move.trigger);
      if (state === null) throw ApplicationFailure.nonRetryable(`${one.record.state} ${move.trigger}`, 'NO_MOVE');
      one.moves.push(move);
      const { attempt, planSha256, revision } = move;
      const lost = move.trigger === 'builder_lost' ? one.record.losses + 1 : one.record.losses;
      const losses = move.trigger === 'plan_attached' ? 0 : lost;
      one.record = { ...one.record, state, revision: revision + 1, attempt, losses, planSha256 };
    }
    return one.record;
  },
};
const builder = {
  attestBuilder: async () => ({
    workerSourceCommit: null,
    workerPublicKey: '',
    sampleSha256: digest('8'),
    signature: '',
  }),
  async buildModule({ submissionId, planSha256, attempt }: BuildInput): Promise<BuildVerdict> {
    const came =
      planSha256 === LARGE_PLAN ? { status: 'failed' as const, ...TOO_LARGE } : of(submissionId).builds[attempt - 1];
    if (came === undefined || came instanceof Error) throw ApplicationFailure.retryable('gone', 'BUILDER_GONE');
    return came;
  },
};
const gateway = {
  async recordReview({ submissionId, revision }: { submissionId: string; revision: number }): Promise<void> {
    const { record, told } = of(submissionId);
    told.push(`${revision} ${record.state} ${record.attempt}`);
  },
};

let server: TemporalServer;
let temporal: TemporalClient;
let workers: NativeConnection;
let running: { worker: ServiceWorker; done: Promise<void> }[] = [];
beforeAll(async () => {
  installTemporalRuntime({ trace() {}, debug() {}, info() {}, warn() {}, error() {} });
  // A server of its own: the task queues have the product's names.
  server = await startTemporal({});
  const target = { address: server.address, namespace: server.namespace };
  [temporal, workers] = await Promise.all([connectTemporal(target), connectWorkers(target)]);
  const workflowBundle = await bundleWorkflows(path.resolve(import.meta.dirname, '../module-review.bundle.ts'));
  const common = { connection: workers, namespace: target.namespace, service: 'review-tests' };
  const started = await Promise.all([
    createServiceWorker({ ...common, taskQueue: TASK_QUEUES.moduleReview, workflowBundle, activities: review }),
    createServiceWorker({ ...common, taskQueue: TASK_QUEUES.moduleBuild, activities: builder }),
    createServiceWorker({ ...common, taskQueue: TASK_QUEUES.gateway, activities: gateway }),
  ]);
  running = started.map((worker) => ({ worker, done: worker.run() }));
});
afterAll(async () => {
  await Promise.all(running.map(async ({ worker, done }) => (await worker.shutdown(), await done)));
  await temporal?.close();
  await workers?.close();
  await server?.stop();
});

async function start(...builds: readonly (BuildVerdict | Error)[]) {
  const submissionId = randomUUID();
  const record: ReviewRecord = {
    state: 'awaiting_plan',
    revision: 0,
    attempt: 0,
    losses: 0,
    planSha256: null,
    statusSha256: digest('0'),
  };
  const one: Review = { record, builds, moves: [], told: [] };
  reviews.set(submissionId, one);
  const subject: ReviewSubject = {
    submissionId,
    requestDigest: digest('6'),
    packageId: `0x${'7'.repeat(64)}`,
    author: `0x${'8'.repeat(40)}`,
    supersedes: null,
    createdAt: '2026-11-23T00:00:00.000Z',
  };
  const handle: WorkflowHandle = await temporal.client.workflow.start(WORKFLOW_TYPES.reviewSubmission, {
    workflowId: reviewWorkflowId(submissionId),
    taskQueue: TASK_QUEUES.moduleReview,
    args: [subject],
  });
  const until = async (state: string): Promise<number> => {
    const told = (): boolean =>
      one.told.some((line) => line === `${one.record.revision} ${one.record.state} ${one.record.attempt}`);
    for (
      const end = Date.now() + 120_000;
      one.record.state !== state || !told();
      await new Promise((go) => setTimeout(go, 50))
    )
      if (Date.now() > end) throw new Error(`${one.record.state} instead of ${state}`);
    return one.record.revision;
  };
  const update = (name: keyof typeof REVIEW_UPDATES, args: object): Promise<ReviewAnswer> =>
    handle.executeUpdate<ReviewAnswer, [object]>(name, { args: [args] });
  /** An update that comes while the one before it is written is stale: it is sent again as a reviewer would. */
  const settled = async (name: keyof typeof REVIEW_UPDATES, args: object): Promise<ReviewAnswer> => {
    for (;;) {
      try {
        return await update(name, args);
      } catch (error) {
        if ((error as { cause?: { type?: string } }).cause?.type !== 'REVISION_STALE') throw error;
        await new Promise((go) => setTimeout(go, 50));
      }
    }
  };
  await until('awaiting_plan');
  return { ...one, one, handle, until, update, settled };
}
const refusal = (type: string) => ({ cause: { type } });

describe('the review of a submission', () => {
  it('goes from a plan over a build to an accepting decision, and each step of it is shown once', async () => {
    const { handle, told, until, settled, moves } = await start(BUILT);
    expect(await settled('attachPlan', { revision: 0, planSha256: PLAN })).toEqual({
      kind: 'moved',
      state: 'queued',
      revision: 1,
    });
    const revision = await until('built');
    expect(await settled('decide', { revision, outcome: 'accept', decisionSha256: digest('e') })).toEqual({
      kind: 'moved',
      state: 'accepted',
      revision: 4,
    });
    expect(await handle.result()).toBe('accepted');
    expect(told).toEqual(['0 awaiting_plan 0', '1 queued 0', '2 running 1', '3 built 1', '4 accepted 1']);
    expect(
      moves.map(({ trigger, build, decisionSha256 }) => [trigger, build?.signature ?? null, decisionSha256]),
    ).toEqual([
      ['plan_attached', null, null],
      ['build_started', null, null],
      ['build_succeeded', BUILT.signature, null],
      ['accept', null, digest('e')],
    ]);
  });

  it('is built once more when the first build failed, and ends with a wish for changes', async () => {
    const { handle, told, until, settled, moves } = await start(FAILED, BUILT);
    await settled('attachPlan', { revision: 0, planSha256: PLAN });
    await until('build_failed');
    expect(moves.at(-1)!.failure).toEqual({
      code: 'COMPILER_ERROR',
      place: FAILED.status === 'failed' && FAILED.place,
    });
    await settled('requeue', { revision: 3 });
    await until('built');
    await settled('decide', { revision: 6, outcome: 'request_changes', decisionSha256: digest('e') });
    expect(await handle.result()).toBe('changes_requested');
    expect(told.slice(3)).toEqual([
      '3 build_failed 1',
      '4 queued 1',
      '5 running 2',
      '6 built 2',
      '7 changes_requested 2',
    ]);
  });

  it('is abandoned with the third builder that was lost or did not sign, and a new plan has three more', async () => {
    const gone = new Error('gone');
    const { told, until, settled, moves, handle } = await start(gone, UNSIGNED, gone, gone, BUILT);
    await settled('attachPlan', { revision: 0, planSha256: PLAN });
    const revision = await until('build_failed');
    expect([revision, moves.at(-1)!.failure]).toEqual([7, { code: 'JOB_ABANDONED', place: '' }]);
    expect(told.filter((line) => line.includes('running'))).toEqual(['2 running 1', '4 running 2', '6 running 3']);
    await settled('attachPlan', { revision, planSha256: PLAN });
    await until('built');
    await settled('decide', { revision: 12, outcome: 'reject', decisionSha256: digest('e') });
    expect(await handle.result()).toBe('rejected');
  });

  it('refuses what is of another revision, state or form before anything is written', async () => {
    const { update, settled, until, moves, handle, told } = await start(BUILT);
    const decision = { outcome: 'accept', decisionSha256: digest('e') };
    await expect(update('decide', { revision: 1, ...decision })).rejects.toMatchObject(refusal('REVISION_STALE'));
    await expect(settled('decide', { revision: 0, ...decision })).rejects.toMatchObject(
      refusal('REVIEW_STATE_INVALID'),
    );
    await expect(settled('requeue', { revision: 0 })).rejects.toMatchObject(refusal('REVIEW_STATE_INVALID'));
    await expect(update('attachPlan', { revision: 0, planSha256: 'a' })).rejects.toMatchObject(
      refusal('REVIEW_UPDATE_INVALID'),
    );
    expect(await settled('attachPlan', { revision: 0, planSha256: FOREIGN_PLAN })).toEqual({
      kind: 'refused',
      code: 'PLAN_MISMATCH',
      place: '/submissionDigest',
    });
    expect([moves, told]).toEqual([[], ['0 awaiting_plan 0']]);
    await settled('attachPlan', { revision: 0, planSha256: PLAN });
    const revision = await until('built');
    expect(await settled('decide', { revision, ...decision, decisionSha256: FORGED })).toMatchObject({
      code: 'REVIEW_SIGNATURE_INVALID',
    });
    const both = await Promise.allSettled([
      update('decide', { revision, ...decision }),
      update('decide', { revision, ...decision, outcome: 'reject' }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(moves.filter(({ revision: from }) => from === revision)).toHaveLength(1);
    await handle.result();
  });

  it('tells the reviewer of a package larger than the profile takes, and the author by a failed build', async () => {
    const { settled, until, moves } = await start();
    expect(await settled('attachPlan', { revision: 0, planSha256: LARGE_PLAN })).toEqual({
      kind: 'refused',
      ...TOO_LARGE,
    });
    await until('build_failed');
    expect(moves.at(-1)!.failure).toEqual(TOO_LARGE);
  });
});
