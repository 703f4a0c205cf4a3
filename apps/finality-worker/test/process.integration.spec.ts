import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { NativeConnection } from '@temporalio/worker';
import { createFileBlobStore } from '@launch/blob-store';
import { observationStatement, recordStatement } from '@launch/contracts/activities';
import { canonicalizeJson, parseStrictJson } from '@launch/contracts/json';
import { finalityStatusSchema, finalizedRecordSchema, type FinalityStatus } from '@launch/contracts/multi-role';
import {
  observeWorkflowId,
  SEARCH_ATTRIBUTE_TYPES,
  TASK_QUEUES,
  toObservedFinality,
  WORKFLOW_TYPES,
  type BuiltRecord,
  type GatewayActivities,
  type ObserveLaunchInput,
  type SignedPoll,
} from '@launch/contracts/orchestration';
import { sha256Digest } from '@launch/contracts/primitives';
import { createEd25519Verifier } from '@launch/platform';
import { startDevnet, type Devnet } from '@launch/devnet';
import { connectTemporal, startOnce, launchSearchAttributes, type TemporalClient } from '@launch/temporal';
import {
  connectWorkers,
  createServiceWorker,
  installTemporalRuntime,
  type ServiceWorker,
} from '@launch/worker/scripted';
import { startTemporal, type TemporalServer } from '@launch/temporal-server';
import {
  createTestDatabase,
  newSigningKey,
  startServiceProcess,
  type ServiceProcess,
  type TestDatabase,
} from '@launch/testing';
import { promoteWorker } from '../../../tools/start/src/promote-workers.js';
import { sourceProgram } from '../../../tools/start/src/fixtures/source-program.fixture.js';
import { devnetContext, prepareLaunch } from './fixtures/devnet-launch.fixture.js';

jest.setTimeout(180_000);

const MAIN = path.resolve(import.meta.dirname, '../src/main.ts');
const LAUNCH_ID = '3f2b8a4e-0000-4000-8000-0000000000aa';

/** The gateway's side in memory: it records the worker's writes. */
class RecordedView {
  readonly written: { readonly step: string; readonly finality: FinalityStatus | null }[] = [];
  readonly polls: SignedPoll[] = [];
  record: BuiltRecord | null = null;

  readonly activities: Partial<GatewayActivities> = {
    recordAwaitingSignature: async () => this.write('awaiting'),
    recordSubmitted: async () => this.write('submitted'),
    recoveryTargets: async () => [],
    recordFinality: async ({ observed }) => this.write('finality', observed),
    recordFinalized: async ({ observed, recordSha256, signed }) => {
      this.record = { recordSha256, signed };
      this.write('finalized', observed);
    },
  };

  private readonly waiting: { readonly step: string; readonly resolve: () => void }[] = [];

  /** Resolves once a step was written. */
  until(step: string): Promise<void> {
    return new Promise((resolve) => {
      if (this.written.some((one) => one.step === step)) resolve();
      else this.waiting.push({ step, resolve });
    });
  }

  private write(step: string, observed?: SignedPoll): void {
    if (observed !== undefined) this.polls.push(observed);
    const finality = observed === undefined ? null : toObservedFinality(undefined, LAUNCH_ID, observed);
    this.written.push({ step, finality: finality === null ? null : finalityStatusSchema.parse(finality) });
    for (const one of this.waiting) if (one.step === step) one.resolve();
  }
}

let dir: string;
let program: string;
let devnet: Devnet;
let database: TestDatabase;
let server: TemporalServer;
let temporal: TemporalClient;
let connection: NativeConnection;
let gateway: { worker: ServiceWorker; done: Promise<void> };
const keys = newSigningKey();
const view = new RecordedView();
const processes: ServiceProcess[] = [];

beforeAll(async () => {
  installTemporalRuntime({ trace() {}, debug() {}, info() {}, warn() {}, error() {} });
  dir = await mkdtemp(path.join(tmpdir(), 'launch-finality-process-'));
  [devnet, database, server] = await Promise.all([
    startDevnet({ dir: path.join(dir, 'devnet'), finalitySeconds: 8, keepState: false, idleBlockMs: 0 }),
    createTestDatabase('finality'),
    startTemporal({ searchAttributes: SEARCH_ATTRIBUTE_TYPES }),
  ]);
  const target = { address: server.address, namespace: server.namespace };
  [temporal, connection] = await Promise.all([connectTemporal(target), connectWorkers(target)]);
  const worker = await createServiceWorker({
    connection,
    namespace: target.namespace,
    taskQueue: TASK_QUEUES.gateway,
    service: 'gateway-view',
    activities: view.activities,
  });
  gateway = { worker, done: worker.run() };
  program = await sourceProgram(MAIN, path.join(dir, 'program'));
  await writeFile(path.join(dir, 'signing.pem'), keys.privateKey);
  await writeFile(path.join(dir, 'public.pem'), keys.publicKey);
  await writeFile(path.join(dir, 'context.json'), canonicalizeJson(devnetContext(devnet)));
});

afterAll(async () => {
  await Promise.all(processes.map((service) => service.stop()));
  await gateway?.worker.shutdown();
  await gateway?.done;
  await temporal?.close();
  await connection?.close();
  await Promise.all([server?.stop(), devnet?.stop(), database?.drop()]);
  await rm(dir, { recursive: true, force: true });
});

async function startWorker(): Promise<ServiceProcess> {
  const urls = (chain: '1' | '4663'): string => devnet.rpc[chain].map(({ id, url }) => `${id}=${url}`).join(',');
  const service = await startServiceProcess({
    args: [program],
    env: {
      DATABASE_URL: database.url,
      TEMPORAL_ADDRESS: server.address,
      BLOB_STORE: path.join(dir, 'blobs'),
      LAUNCH_CONTEXT_FILE: path.join(dir, 'context.json'),
      RPC_4663_URLS: urls('4663'),
      RPC_1_URLS: urls('1'),
      FINALITY_SIGNING_KEY_FILE: path.join(dir, 'signing.pem'),
      FINALITY_PUBLIC_KEY_FILE: path.join(dir, 'public.pem'),
      FINALITY_POLL_MIN_MS: '250',
      LOG_LEVEL: 'info',
    },
    readyTimeoutMs: 60_000,
  });
  processes.push(service);
  await promoteWorker(server, 'finality-worker');
  return service;
}

const get = async (service: ServiceProcess, route: string): Promise<{ status: number; text: string }> => {
  const response = await fetch(`http://127.0.0.1:${service.ready.port}${route}`);
  return { status: response.status, text: await response.text() };
};

describe('The finality worker as a process', () => {
  it('brings a launch to its published record although it is killed on the way', async () => {
    const first = await startWorker();
    expect(await get(first, '/readyz')).toMatchObject({ status: 200 });

    const launch = await prepareLaunch(devnet, 77n);
    const blobs = createFileBlobStore({ dir: path.join(dir, 'blobs') });
    await Promise.all([blobs.put(launch.requestBytes), blobs.put(launch.handoffBytes)]);
    const { from: controller } = launch.handoff.walletTransaction;
    const input: ObserveLaunchInput = {
      launchId: LAUNCH_ID,
      requestSha256: launch.handoff.requestSha256,
      requestHash: launch.handoff.requestHash,
      handoffSha256: sha256Digest(launch.handoffBytes),
      controller,
      hints: [],
    };
    await startOnce(temporal.client, {
      workflowType: WORKFLOW_TYPES.observeLaunch,
      workflowId: observeWorkflowId(LAUNCH_ID),
      taskQueue: TASK_QUEUES.finality,
      args: [input],
      searchAttributes: launchSearchAttributes({ launchId: LAUNCH_ID, controller, stage: 'pending' }),
      memo: {},
    });
    const hash = await launch.send(devnet.rpc['4663'][0]?.url ?? '');
    await view.until('finality');
    await first.kill('SIGKILL');

    const second = await startWorker();
    expect(await temporal.client.workflow.getHandle(observeWorkflowId(LAUNCH_ID)).result()).toBe('finalized');
    expect(view.written.map(({ step }) => step)).toEqual(
      expect.arrayContaining(['awaiting', 'submitted', 'finality', 'finalized']),
    );
    expect(view.written.at(-1)?.finality).toMatchObject({
      state: 'ethereum_finalized',
      transactionHash: hash,
      observation: { status: 'agreed' },
    });
    const record = finalizedRecordSchema.parse(parseStrictJson(await blobs.get(view.record!.recordSha256)));
    expect(record).toMatchObject({ apiLaunchId: LAUNCH_ID, provenance: { transactionHash: hash } });
    // Each poll, before and after the crash, and the record carry the worker's signature.
    const verifier = createEd25519Verifier(keys.publicKey);
    const { requestSha256, requestHash, contextHash } = launch.handoff;
    const stated = { launchId: LAUNCH_ID, requestSha256, requestHash, contextHash, handoffSha256: input.handoffSha256 };
    for (const { signed, ...poll } of view.polls)
      expect(verifier.verify(observationStatement(stated, poll), signed)).toBe('valid');
    const { recordSha256, signed } = view.record!;
    const { evidenceSha256 } = view.polls.at(-1)!;
    expect(verifier.verify(recordStatement(stated, { recordSha256, evidenceSha256: evidenceSha256! }), signed)).toBe(
      'valid',
    );
    expect((await get(second, '/metrics')).text).toMatch(
      /launch_finality_stage_changes_total\{[^}]*stage="finalized"[^}]*\} 1/,
    );

    await second.stop();
    expect(await second.exited).toMatchObject({ code: 0 });
    for (const { url } of [...devnet.rpc['1'], ...devnet.rpc['4663']])
      expect(second.lines().join('\n')).not.toContain(new URL(url).host);
  });
});
