import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';
import { createFileBlobStore } from '@launch/blob-store';
import { canonicalJsonText, canonicalizeJson } from '@launch/contracts/json';
import { reviewerPolicyOf, type ReviewDecision } from '@launch/contracts/modules';
import {
  reviewWorkflowId,
  SEARCH_ATTRIBUTE_TYPES,
  TASK_QUEUES,
  WORKFLOW_TYPES,
  type ReviewAnswer,
  type ReviewSubject,
} from '@launch/contracts/orchestration';
import { canonicalSha256 } from '@launch/contracts/primitives';
import { reviewDecisionTypedData } from '@launch/evm';
import { createLogger, createPool, Secret } from '@launch/platform';
import { openModuleReviewDatabase } from '@launch/prisma-module-review';
import { migrateDeploy } from '@launch/prisma-tools';
import { connectTemporal, type TemporalClient } from '@launch/temporal';
import { startTemporal, type TemporalServer } from '@launch/temporal-server';
import {
  armFailpoint,
  createEmptyDatabase,
  startServiceProcess,
  type ServiceProcess,
  type TestDatabase,
} from '@launch/testing';
import { connectWorkers, createServiceWorker, installTemporalRuntime } from '@launch/worker/scripted';
import { privateKeyToAccount } from 'viem/accounts';
import {
  planOf,
  storeSubmission,
  type SubmittedModule,
} from '../../module-builder/src/fixtures/submitted-module.fixture.js';
import { promoteWorker } from '../../../tools/start/src/promote-workers.js';
import { sourceProgram } from '../../../tools/start/src/fixtures/source-program.fixture.js';
import { historyText } from './fixtures/history-text.fixture.js';
import { createReviewRepository, type ReviewRepository } from './review.repository.js';

/** Kills the review worker and the builder, as processes, between two of their steps. */
jest.setTimeout(900_000);

const REVIEWER = privateKeyToAccount(`0x${'c'.repeat(64)}`);
const { privateKey, publicKey } = generateKeyPairSync('ed25519', {
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const document = reviewerPolicyOf({
  reviewers: [REVIEWER.address.toLowerCase() as `0x${string}`],
  workerPublicPem: publicKey,
  compilerVersions: ['0.8.26'],
});
const policy = { document, digest: canonicalSha256(document) };
const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
contract FeeModule { uint16 public feeBps = 30; }`;
const MODULE: SubmittedModule = { files: { 'src/FeeModule.sol': SOURCE } };

const started: ServiceProcess[] = [];
let dir: string;
let test: TestDatabase;
let pool: ReturnType<typeof createPool>;
let server: TemporalServer;
let temporal: TemporalClient;
let stopGateway: () => Promise<void>;
let blobs: ReturnType<typeof createFileBlobStore>;
let reviews: ReviewRepository;
/** Created once, since every process has the same version. */
let promoted: Promise<void> | undefined;
const programs = { review: '', builder: '' };
const reported = new Map<string, number>();

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'module-review-'));
  blobs = createFileBlobStore({ dir: path.join(dir, 'blobs') });
  installTemporalRuntime({ trace() {}, debug() {}, info() {}, warn() {}, error() {} });
  // A separate server, because the task queues have the product's names.
  [test, server] = await Promise.all([
    createEmptyDatabase(),
    startTemporal({ searchAttributes: SEARCH_ATTRIBUTE_TYPES }),
  ]);
  await migrateDeploy(test.url, path.resolve(import.meta.dirname, '../../../prisma/module-review/migrations'));
  const logger = createLogger({ service: 'module-review', level: 'silent' });
  pool = createPool({ connectionString: new Secret(test.url), applicationName: 'module-review', logger });
  reviews = createReviewRepository(openModuleReviewDatabase(pool));
  const fileOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
  programs.review = await sourceProgram(fileOf('./main.ts'), path.join(dir, 'review'));
  programs.builder = await sourceProgram(fileOf('../../module-builder/src/main.ts'), path.join(dir, 'builder'));
  await writeFile(path.join(dir, 'policy.json'), canonicalJsonText(document));
  await writeFile(path.join(dir, 'key.pem'), privateKey, { mode: 0o600 });
  const target = { address: server.address, namespace: server.namespace };
  temporal = await connectTemporal(target);
  const connection = await connectWorkers(target);
  const gateway = await createServiceWorker({
    connection,
    namespace: target.namespace,
    taskQueue: TASK_QUEUES.gateway,
    service: 'gateway',
    activities: {
      recordReview: async ({ submissionId, revision }: { submissionId: string; revision: number }) =>
        void reported.set(submissionId, Math.max(revision, reported.get(submissionId) ?? 0)),
      recordReviewReadiness: async () => undefined,
    },
  });
  const running = gateway.run();
  stopGateway = async () => {
    await gateway.shutdown();
    await running;
    await connection.close();
    await temporal.close();
  };
});
afterAll(async () => {
  await Promise.all(started.map((service) => service.stop()));
  await stopGateway?.();
  await server?.stop();
  await pool?.end();
  await test?.drop();
  if (dir !== undefined) await rm(dir, { recursive: true, force: true });
});

/** @param point the failpoint that kills it; none for a process that survives. */
async function start(program: keyof typeof programs, point?: string): Promise<ServiceProcess> {
  const failpoints = path.join(dir, 'failpoints');
  if (point !== undefined) await armFailpoint(failpoints, point);
  const service = await startServiceProcess({
    args: [programs[program]],
    env: {
      BLOB_STORE: path.join(dir, 'blobs'),
      BUILD_RESULTS_STORE: path.join(dir, 'results'),
      REVIEWER_POLICY_FILE: path.join(dir, 'policy.json'),
      ...(program === 'review' ? { DATABASE_URL: test.url } : { BUILD_SIGNING_KEY_FILE: path.join(dir, 'key.pem') }),
      TEMPORAL_ADDRESS: server.address,
      TEMPORAL_NAMESPACE: server.namespace,
      METRICS_PORT: '0',
      LAUNCH_FAILPOINTS: failpoints,
    },
    readyTimeoutMs: 120_000,
  });
  started.push(service);
  if (program === 'review') await (promoted ??= promoteWorker(server, 'module-review'));
  return service;
}
const killed = { code: null, signal: 'SIGKILL' };

/** Waits until the author sees the review at that revision. */
async function until(submissionId: string, revision: number): Promise<void> {
  for (const end = Date.now() + 180_000; (reported.get(submissionId) ?? -1) < revision;) {
    if (Date.now() > end) throw new Error(`${reported.get(submissionId)} instead of ${revision}`);
    await new Promise((go) => setTimeout(go, 50));
  }
}

it('Killed builders and reviews leave each step recorded once, and the third lost builder ends the build.', async () => {
  const submissionId = randomUUID();
  const requestDigest = await storeSubmission(blobs, MODULE);
  const subject: ReviewSubject = {
    submissionId,
    requestDigest,
    packageId: `0x${'7'.repeat(64)}`,
    author: '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
    supersedes: null,
    createdAt: new Date().toISOString(),
  };
  const firstReview = await start('review', 'module-review.build_succeeded');
  const handle: WorkflowHandle = await temporal.client.workflow.start(WORKFLOW_TYPES.reviewSubmission, {
    workflowId: reviewWorkflowId(submissionId),
    taskQueue: TASK_QUEUES.moduleReview,
    args: [subject],
  });
  await until(submissionId, 0);
  const plan = planOf({ policy }, requestDigest, MODULE, [{ path: 'src/FeeModule.sol', contract: 'FeeModule' }]);
  const planSha256 = await blobs.put(canonicalizeJson(plan));
  const update = (name: string, args: object): Promise<ReviewAnswer> =>
    handle.executeUpdate<ReviewAnswer, [object]>(name, { args: [args] });
  await update('attachPlan', { revision: 0, planSha256 });

  for (const point of ['module-build.compiling', 'module-build.stored', 'module-build.compiling'])
    expect(await (await start('builder', point)).exited).toEqual(killed);
  await until(submissionId, 7);
  expect((await reviews.find(submissionId)).steps.at(-1)).toMatchObject({
    state: 'build_failed',
    failureCode: 'JOB_ABANDONED',
    attempt: 3,
  });

  await start('builder');
  await update('requeue', { revision: 7 });
  expect(await firstReview.exited).toEqual(killed);
  const secondReview = await start('review', 'module-review.accept');
  await until(submissionId, 10);
  const { build } = (await reviews.find(submissionId)).steps.at(-1)!;
  const { artifactSha256, hostManifestSha256 } = build as Record<
    'artifactSha256' | 'hostManifestSha256',
    `sha256:${string}`
  >;
  const decision: Omit<ReviewDecision, 'signature'> = {
    outcome: 'accept',
    reason: 'Read and understood.',
    artifactDigest: artifactSha256,
    hostManifestDigest: hostManifestSha256,
    reviewerPolicyDigest: policy.digest,
    reviewerWallet: REVIEWER.address.toLowerCase() as `0x${string}`,
    decidedAt: String(Math.floor(Date.now() / 1_000)),
  };
  const signature = await REVIEWER.signTypedData(reviewDecisionTypedData(decision, { requestDigest, revision: 10 }));
  const decisionSha256 = await blobs.put(canonicalizeJson({ ...decision, signature }));
  const decided = update('decide', { revision: 10, outcome: 'accept', decisionSha256 });
  expect(await secondReview.exited).toEqual(killed);
  await start('review');
  expect(await decided).toEqual({ kind: 'moved', state: 'accepted', revision: 11 });
  expect(await handle.result()).toBe('accepted');
  const { steps } = await reviews.find(submissionId);
  expect(steps.map(({ trigger, attempt }) => `${trigger} ${attempt}`)).toEqual([
    'plan_attached 0',
    'build_started 1',
    'builder_lost 1',
    'build_started 2',
    'builder_lost 2',
    'build_started 3',
    'job_abandoned 3',
    'plan_attached 3',
    'build_started 4',
    'build_succeeded 4',
    'accept 4',
  ]);
  expect(steps.at(-1)!.decisionSha256).toBe(decisionSha256);

  const history = await historyText(handle);
  expect(history).toContain('builder_lost');
  const logs = started.flatMap((service) => service.lines()).join('\n');
  for (const secret of [SOURCE, 'feeBps', 'Read and understood.', 'PRIVATE KEY', 'src/FeeModule.sol', dir])
    expect({ secret, reported: history.includes(secret), logged: logs.includes(secret) }).toEqual({
      secret,
      reported: false,
      logged: false,
    });
});
