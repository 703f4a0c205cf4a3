import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { NativeConnection } from '@temporalio/worker';
import {
  preflightWorkflowId,
  PRIORITIES,
  SEARCH_ATTRIBUTE_TYPES,
  TASK_QUEUES,
  WORKFLOW_TYPES,
  type LaunchRef,
} from '@launch/contracts/orchestration';
import type { Hex } from '@launch/contracts/primitives';
import { connectTemporal, type TemporalClient } from '@launch/temporal';
import { startTemporal, type TemporalServer } from '@launch/temporal-server';
import {
  connectWorkers,
  createServiceWorker,
  currentWorkflowBundle,
  installTemporalRuntime,
  type ServiceWorker,
} from '@launch/worker/scripted';
import { COMPILATION } from '../fixtures/compilation.fixture.js';

/** Runs compilations on a real Temporal server with one place for them. */
jest.setTimeout(180_000);
const word = (digit: string): Hex => `0x${digit.repeat(64)}`;
const digest = (digit: string) => `sha256:${digit.repeat(64)}` as const;

let server: TemporalServer;
let temporal: TemporalClient;
let workers: NativeConnection;
let running: { worker: ServiceWorker; done: Promise<void> }[] = [];
/** The controllers of the finished compilations, in order. */
const served: Hex[] = [];
let first: Promise<void>;

beforeAll(async () => {
  installTemporalRuntime({ trace() {}, debug() {}, info() {}, warn() {}, error() {} });
  server = await startTemporal({ searchAttributes: SEARCH_ATTRIBUTE_TYPES });
  const target = { address: server.address, namespace: server.namespace };
  [temporal, workers] = await Promise.all([connectTemporal(target), connectWorkers(target)]);
  const workflowBundle = await currentWorkflowBundle(path.resolve(import.meta.dirname, '../admission.bundle.ts'));
  const common = { connection: workers, namespace: target.namespace, service: 'compilation-turns-tests' };
  const started = await Promise.all([
    createServiceWorker({
      ...common,
      taskQueue: TASK_QUEUES.admission,
      workflowBundle,
      activities: { judgePreflight: async () => ({ checks: [] }) },
    }),
    createServiceWorker({
      ...common,
      taskQueue: TASK_QUEUES.compilation,
      maxConcurrentActivities: 1,
      activities: {
        async compileRequest({ controller }: LaunchRef) {
          served.push(controller);
          await first;
          return COMPILATION;
        },
      },
    }),
  ]);
  running = started.map((worker) => ({ worker, done: worker.run() }));
});
afterAll(async () => {
  await Promise.all(running.map(async ({ worker, done }) => (await worker.shutdown(), await done)));
  await temporal?.close();
  await workers?.close();
  await server?.stop();
});

const addressOf = (digit: string): Hex => `0x${digit.repeat(40)}`;
const FLOOD = addressOf('a');
const OTHER = addressOf('b');
const LATER = addressOf('c');

async function evaluate(controller: Hex, priorityKey: number) {
  const ref: LaunchRef = {
    launchId: null,
    family: 'custom-launch.v4',
    requestSha256: digest('1'),
    requestHash: word('2'),
    contextHash: word('3'),
    controller,
  };
  const handle = await temporal.client.workflow.start(WORKFLOW_TYPES.evaluateSource, {
    workflowId: preflightWorkflowId(randomUUID()),
    taskQueue: TASK_QUEUES.admission,
    args: [{ ref }],
    priority: { priorityKey, fairnessKey: controller },
  });
  // Its compilation waits in the queue or runs.
  while (((await handle.describe()).raw.pendingActivities ?? []).length === 0)
    await new Promise((resolve) => setTimeout(resolve, 20));
  return handle;
}

describe('The queue of compilations', () => {
  it('serves a lineage with one new compilation soon, regardless of the backlog of another lineage, and lower priorities last', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    first = promise;
    const handles = [];
    for (let task = 0; task < 20; task += 1) handles.push(await evaluate(FLOOD, PRIORITIES.launch));
    handles.push(await evaluate(LATER, PRIORITIES.preflight));
    handles.push(await evaluate(OTHER, PRIORITIES.launch));
    resolve();
    for (const handle of handles) await handle.result();
    expect(served).toHaveLength(22);
    expect(served.slice(0, 5)).toContain(OTHER);
    expect(served.indexOf(LATER)).toBe(21);
  });
});
