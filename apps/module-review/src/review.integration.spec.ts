import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';
import type { NativeConnection } from '@temporalio/worker';
import { createFileBlobStore } from '@launch/blob-store';
import { assertCanonicalJson, canonicalizeJson } from '@launch/contracts/json';
import {
  moduleReviewStatusSchema,
  reviewerPolicyOf,
  type ModuleReviewStatus,
  type ReviewDecision,
} from '@launch/contracts/modules';
import {
  reviewWorkflowId,
  SEARCH_ATTRIBUTE_TYPES,
  TASK_QUEUES,
  WORKFLOW_TYPES,
  type ReviewAnswer,
  type ReviewSubject,
} from '@launch/contracts/orchestration';
import { canonicalSha256, type Sha256Digest } from '@launch/contracts/primitives';
import { reviewDecisionTypedData } from '@launch/evm';
import { createLogger, createPool, Secret } from '@launch/platform';
import { openModuleReviewDatabase } from '@launch/prisma-module-review';
import { migrateDeploy } from '@launch/prisma-tools';
import { connectTemporal, type TemporalClient } from '@launch/temporal';
import { startTemporal, type TemporalServer } from '@launch/temporal-server';
import { createEmptyDatabase, type TestDatabase } from '@launch/testing';
import {
  connectWorkers,
  createServiceWorker,
  currentWorkflowBundle,
  installTemporalRuntime,
  type ServiceWorker,
} from '@launch/worker/scripted';
import { privateKeyToAccount } from 'viem/accounts';
import { createAttestation } from '../../module-builder/src/attestation.service.js';
import { createBuildEvidence } from '../../module-builder/src/build-evidence.service.js';
import { createBuildModule } from '../../module-builder/src/build-module.service.js';
import { createBuildSigner } from '../../module-builder/src/build.signer.js';
import { createBuilderActivities } from '../../module-builder/src/builder.activities.js';
import { buildSample } from '../../module-builder/src/sample-build.js';
import {
  largeFields,
  planOf,
  storeSubmission,
  type SubmittedModule,
} from '../../module-builder/src/fixtures/submitted-module.fixture.js';
import { createReadinessService } from './readiness/readiness.service.js';
import { historyText } from './fixtures/history-text.fixture.js';
import { createReviewActivities } from './review.activities.js';
import { createReviewRepository } from './review.repository.js';
import { createReviewService } from './review.service.js';
import { createSubmissionReader, type SubmissionReader } from './submissions/submission.reader.js';

jest.setTimeout(180_000);

/** Runs the review on real Temporal, PostgreSQL and solc; the test records the reports to the gateway. */
const REVIEWER = privateKeyToAccount(`0x${'c'.repeat(64)}`);
const AUTHOR = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed';
const { privateKey, publicKey } = generateKeyPairSync('ed25519', {
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const document = reviewerPolicyOf({
  reviewers: [REVIEWER.address.toLowerCase() as `0x${string}`, AUTHOR],
  workerPublicPem: publicKey,
  compilerVersions: ['0.8.26'],
});
const policy = { document, digest: canonicalSha256(document) };
const reported = new Map<string, Sha256Digest>();

let dir: string;
let test: TestDatabase;
let pool: ReturnType<typeof createPool>;
let server: TemporalServer;
let temporal: TemporalClient;
let workers: NativeConnection;
let running: { worker: ServiceWorker; done: Promise<void> }[] = [];
let blobs: ReturnType<typeof createFileBlobStore>;
/** The builder's own store, which the review never reads. */
let results: typeof blobs;
let reviews: ReturnType<typeof createReviewRepository>;
let service: ReturnType<typeof createReviewService>;
let submissions: SubmissionReader;

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'module-review-'));
  blobs = createFileBlobStore({ dir: path.join(dir, 'blobs') });
  results = createFileBlobStore({ dir: path.join(dir, 'results') });
  installTemporalRuntime({ trace() {}, debug() {}, info() {}, warn() {}, error() {} });
  [test, server] = await Promise.all([
    createEmptyDatabase(),
    startTemporal({ searchAttributes: SEARCH_ATTRIBUTE_TYPES }),
  ]);
  await migrateDeploy(test.url, path.resolve(import.meta.dirname, '../../../prisma/module-review/migrations'));
  const logger = createLogger({ service: 'module-review', level: 'silent' });
  pool = createPool({ connectionString: new Secret(test.url), applicationName: 'module-review', logger });
  reviews = createReviewRepository(openModuleReviewDatabase(pool));
  submissions = createSubmissionReader({ blobs, logger: createLogger({ service: 'test', level: 'silent' }) });
  service = createReviewService({ blobs, submissions, reviews, policy, now: () => new Date() });
  const parts = { blobs, results, policy, signer: createBuildSigner(privateKey), sourceCommit: 'c'.repeat(40) };
  const attestation = createAttestation(parts, buildSample(new AbortController().signal));
  const builder = createBuilderActivities(
    { attestation, buildModule: createBuildModule(parts, createBuildEvidence(parts)) },
    () => undefined,
  );
  const gateway = {
    recordReview: async (input: { submissionId: string; statusSha256: Sha256Digest }) =>
      void reported.set(input.submissionId, input.statusSha256),
  };
  const target = { address: server.address, namespace: server.namespace };
  [temporal, workers] = await Promise.all([connectTemporal(target), connectWorkers(target)]);
  const workflowBundle = await currentWorkflowBundle(
    path.resolve(import.meta.dirname, '../../../libs/workflows/src/module-review.bundle.ts'),
  );
  const common = { connection: workers, namespace: target.namespace, service: 'review-tests' };
  const { functions } = createReviewActivities(
    service,
    createReadinessService({ policy, askDatabase: () => pool.query('SELECT 1'), logger }),
    () => undefined,
  );
  const started = await Promise.all([
    createServiceWorker({ ...common, taskQueue: TASK_QUEUES.moduleReview, workflowBundle, activities: functions }),
    createServiceWorker({ ...common, taskQueue: TASK_QUEUES.moduleBuild, activities: builder.functions }),
    createServiceWorker({ ...common, taskQueue: TASK_QUEUES.gateway, activities: gateway }),
  ]);
  running = started.map((worker) => ({ worker, done: worker.run() }));
});
afterAll(async () => {
  await Promise.all(running.map(async ({ worker, done }) => (await worker.shutdown(), await done)));
  await temporal?.close();
  await workers?.close();
  await server?.stop();
  await pool?.end();
  await test?.drop();
  if (dir !== undefined) await rm(dir, { recursive: true, force: true });
});

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
contract FeeModule { uint16 public feeBps = 30; }`;
const MODULE: SubmittedModule = { files: { 'src/FeeModule.sol': SOURCE } };

/** Stores a complete, signed decision of the reviewer. */
async function signedDecision(
  requestDigest: Sha256Digest,
  revision: number,
  given: Partial<ReviewDecision>,
): Promise<Sha256Digest> {
  const decision: Omit<ReviewDecision, 'signature'> = {
    outcome: 'accept',
    reason: 'Read and understood.',
    artifactDigest: null,
    hostManifestDigest: null,
    reviewerPolicyDigest: policy.digest,
    reviewerWallet: REVIEWER.address.toLowerCase() as `0x${string}`,
    decidedAt: String(Math.floor(Date.now() / 1_000)),
    ...given,
  };
  const signature = await REVIEWER.signTypedData(reviewDecisionTypedData(decision, { requestDigest, revision }));
  return blobs.put(canonicalizeJson({ ...decision, signature }));
}

/** Returns the objection to the reviewer's rejection of a submission, or null. */
async function rejectionProblem(submissionId: string, requestDigest: Sha256Digest): Promise<string | null> {
  const decisionSha256 = await signedDecision(requestDigest, 0, { outcome: 'reject' });
  return service.judgeDecision({ submissionId, revision: 0, outcome: 'reject', decisionSha256 });
}

async function begin(supersedes: string | null = null, module = MODULE) {
  const submissionId = randomUUID();
  const requestDigest = await storeSubmission(blobs, module);
  const subject: ReviewSubject = {
    submissionId,
    requestDigest,
    packageId: `0x${'7'.repeat(64)}`,
    author: AUTHOR,
    supersedes,
    createdAt: new Date().toISOString(),
  };
  const handle: WorkflowHandle = await temporal.client.workflow.start(WORKFLOW_TYPES.reviewSubmission, {
    workflowId: reviewWorkflowId(submissionId),
    taskQueue: TASK_QUEUES.moduleReview,
    args: [subject],
  });
  const status = async (): Promise<ModuleReviewStatus | null> => {
    const digest = reported.get(submissionId);
    return digest === undefined ? null : moduleReviewStatusSchema.parse(assertCanonicalJson(await blobs.get(digest)));
  };
  const until = async (state: string): Promise<ModuleReviewStatus> => {
    for (const end = Date.now() + 120_000; ; await new Promise((go) => setTimeout(go, 50))) {
      const now = await status();
      if (now?.review.state === state) return now;
      if (Date.now() > end) throw new Error(`${now?.review.state ?? 'nothing'} instead of ${state}`);
    }
  };
  /** Sends a reviewer's update again after a conflict with another write. */
  const update = async (name: string, args: object): Promise<ReviewAnswer> => {
    for (;;) {
      try {
        return await handle.executeUpdate<ReviewAnswer, [object]>(name, { args: [args] });
      } catch (error) {
        if ((error as { cause?: { type?: string } }).cause?.type !== 'REVISION_STALE') throw error;
        await new Promise((go) => setTimeout(go, 50));
      }
    }
  };
  const signed = (revision: number, given: Partial<ReviewDecision> = {}): Promise<Sha256Digest> =>
    signedDecision(requestDigest, revision, given);
  return { subject, submissionId, requestDigest, handle, until, update, signed };
}

it('A plan is built twice, its result is checked, and a reviewer who is not the author accepts it.', async () => {
  const { submissionId, requestDigest, handle, until, update, signed } = await begin();
  await until('awaiting_plan');
  const plan = planOf({ policy }, requestDigest, MODULE, [{ path: 'src/FeeModule.sol', contract: 'FeeModule' }]);
  const foreign = await blobs.put(canonicalizeJson({ ...plan, submissionDigest: policy.digest }));
  expect(await update('attachPlan', { revision: 0, planSha256: foreign })).toEqual({
    kind: 'refused',
    code: 'PLAN_MISMATCH',
    place: '/submissionDigest',
  });
  const planSha256 = await blobs.put(canonicalizeJson(plan));
  expect(await update('attachPlan', { revision: 0, planSha256 })).toMatchObject({ kind: 'moved', state: 'queued' });
  const { build, review } = await until('built');
  const recorded = {
    submissionId,
    planSha256,
    attempt: 1,
    build: (await reviews.find(submissionId)).steps[2]!.build as never,
  };
  expect(await service.checkBuild(recorded)).toBe(true);
  for (const other of [
    { attempt: 2 },
    { planSha256: foreign },
    { build: { ...(recorded.build as object), artifactSha256: foreign } as never },
  ])
    expect(await service.checkBuild({ ...recorded, ...other })).toBe(false);
  expect(review).toMatchObject({ revision: 3, attempt: 1, nextAction: 'await_reviewer_decision' });
  expect(await results.has(build!.artifactDigest)).toBe(true);

  const { artifactDigest, hostManifestDigest } = build!;
  const decide = async (given: Partial<ReviewDecision> = {}): Promise<ReviewAnswer> =>
    update('decide', {
      revision: 3,
      outcome: given.outcome ?? 'accept',
      decisionSha256: await signed(3, { artifactDigest, hostManifestDigest, ...given }),
    });
  const rejection = await signed(3, { outcome: 'reject', artifactDigest, hostManifestDigest });
  expect(await update('decide', { revision: 3, outcome: 'accept', decisionSha256: rejection })).toMatchObject({
    kind: 'refused',
    code: 'REVIEW_SIGNATURE_INVALID',
  });
  const move = { submissionId, revision: 3, attempt: 1, planSha256, failure: null, build: null };
  for (const forged of [
    { trigger: 'accept' as const, decisionSha256: rejection },
    { trigger: 'accept' as const, decisionSha256: null },
    { trigger: 'plan_attached' as const, decisionSha256: rejection },
  ])
    await expect(service.moveReview({ ...move, ...forged })).rejects.toMatchObject({ code: 'DECISION_UNSIGNED' });
  expect(await decide({ reviewerWallet: AUTHOR })).toMatchObject({ kind: 'refused', code: 'REVIEWER_IS_AUTHOR' });
  expect(await decide({ artifactDigest: policy.digest })).toMatchObject({ code: 'REVIEW_EVIDENCE_MISMATCH' });
  expect(await decide()).toEqual({ kind: 'moved', state: 'accepted', revision: 4 });
  expect(await handle.result()).toBe('accepted');
  expect(await until('accepted')).toMatchObject({
    review: { nextAction: 'await_registry_admission' },
    decision: { outcome: 'accept', artifactDigest: build!.artifactDigest },
    buildEvidenceRecorded: true,
    approved: false,
    available: false,
  });
  const { steps } = await reviews.find(submissionId);
  const succeeded = { ...move, revision: 2, trigger: 'build_succeeded' as const, build: recorded.build };
  const successor = { document, digest: canonicalSha256({ ...document, compilerVersions: ['0.8.30'] }) };
  const later = createReviewService({ blobs, submissions, reviews, policy: successor, now: () => new Date() });
  expect(await later.moveReview({ ...succeeded, decisionSha256: null })).toMatchObject({ revision: steps.length });

  const history = await historyText(handle);
  for (const reported of [SOURCE, 'Read and understood.', 'PRIVATE KEY', 'src/FeeModule.sol'])
    expect([reported, history.includes(reported)]).toEqual([reported, false]);
});

it('A plan of a module whose defaults exceed the profile is refused, and the author reads the reason.', async () => {
  const module = { ...MODULE, fields: largeFields() };
  const { requestDigest, until, update } = await begin(null, module);
  await until('awaiting_plan');
  const plan = planOf({ policy }, requestDigest, module, [{ path: 'src/FeeModule.sol', contract: 'FeeModule' }]);
  const planSha256 = await blobs.put(canonicalizeJson(plan));
  const code = 'MODULE_BUILD_PROFILE_CAPACITY_EXCEEDED';
  expect(await update('attachPlan', { revision: 0, planSha256 })).toEqual({
    kind: 'refused',
    code,
    place: 'encodedConfigurationBytes',
  });
  expect(await until('build_failed')).toMatchObject({ lastError: { code } });
});

it('A decision waits for the review of the superseded revision.', async () => {
  const predecessor = randomUUID();
  const { subject, until, update, signed } = await begin(predecessor);
  await until('awaiting_plan');
  const decision = { revision: 0, outcome: 'reject' };
  expect(await update('decide', { ...decision, decisionSha256: await signed(0, { outcome: 'reject' }) })).toMatchObject(
    {
      kind: 'refused',
      code: 'MODULE_REVIEW_JOB_UNAVAILABLE',
    },
  );
  await service.openReview({ ...subject, submissionId: predecessor, supersedes: null });
  expect(await update('decide', { ...decision, decisionSha256: await signed(0, { outcome: 'reject' }) })).toMatchObject(
    {
      kind: 'moved',
      state: 'rejected',
    },
  );
});

it.each([
  ['the revision itself', 0],
  ['the revision that it supersedes', 1],
  ['the first revision of three', 2],
])('The reward wallet of %s cannot decide on it or on its successors.', async (_whose, whose) => {
  const ids = [randomUUID(), randomUUID(), randomUUID()];
  const digests = await Promise.all(
    ids.map((_, at) => storeSubmission(blobs, at === whose ? { ...MODULE, rewardWallet: REVIEWER.address } : MODULE)),
  );
  for (const [at, submissionId] of ids.entries())
    await service.openReview({
      submissionId,
      requestDigest: digests[at]!,
      packageId: `0x${'7'.repeat(64)}`,
      author: AUTHOR,
      supersedes: ids[at + 1] ?? null,
      createdAt: new Date().toISOString(),
    });
  // An earlier revision does not know the wallet of a later one.
  expect(await Promise.all(ids.map((id, at) => rejectionProblem(id, digests[at]!)))).toEqual(
    ids.map((_, at) => (at <= whose ? 'REVIEWER_IS_AUTHOR' : null)),
  );
});

it('An author reads the path of the failing source, which the step itself does not contain.', async () => {
  const submissionId = randomUUID();
  const requestDigest = await storeSubmission(blobs, MODULE);
  const plan = planOf({ policy }, requestDigest, MODULE, [{ path: 'src/FeeModule.sol', contract: 'FeeModule' }]);
  const planSha256 = await blobs.put(canonicalizeJson(plan));
  await service.openReview({
    submissionId,
    requestDigest,
    packageId: `0x${'7'.repeat(64)}`,
    author: AUTHOR,
    supersedes: null,
    createdAt: new Date().toISOString(),
  });
  const move = { submissionId, planSha256, attempt: 1, failure: null, build: null, decisionSha256: null };
  await service.moveReview({ ...move, revision: 0, trigger: 'plan_attached' });
  await service.moveReview({ ...move, revision: 1, trigger: 'build_started' });
  const failure = { code: 'COMPILER_ERROR', place: 'ParserError 6275 at /sources/0:0-1' } as const;
  const { statusSha256 } = await service.moveReview({ ...move, revision: 2, trigger: 'build_failed', failure });
  const { lastError } = moduleReviewStatusSchema.parse(assertCanonicalJson(await blobs.get(statusSha256)));
  expect(lastError!.message).toBe('the compiler refuses the sources: ParserError 6275 at src/FeeModule.sol:0-1');
});
