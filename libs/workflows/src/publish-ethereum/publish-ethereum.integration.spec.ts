import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { NativeConnection } from '@temporalio/worker';
import {
  ETHEREUM_FEED_WORKFLOW_ID,
  TASK_QUEUES,
  WORKFLOW_TYPES,
  type EthereumFeedReading,
} from '@launch/contracts/orchestration';
import { connectTemporal, type TemporalClient } from '@launch/temporal';
import {
  connectWorkers,
  createServiceWorker,
  currentWorkflowBundle,
  installTemporalRuntime,
  type ServiceWorker,
} from '@launch/worker/scripted';
import { startTemporal, type TemporalServer } from '@launch/temporal-server';
import { recordHistory } from '../fixtures/recorded-histories.fixture.js';

/** Runs the publications of the Ethereum feed on a real Temporal server with scripted readings. */
jest.setTimeout(180_000);

const readings: (EthereumFeedReading | null)[] = [];
let made = 0;
let server: TemporalServer;
let temporal: TemporalClient;
let connection: NativeConnection;
let running: { worker: ServiceWorker; done: Promise<void> }[] = [];

beforeAll(async () => {
  installTemporalRuntime({ trace() {}, debug() {}, info() {}, warn() {}, error() {} });
  server = await startTemporal({});
  const target = { address: server.address, namespace: server.namespace };
  [temporal, connection] = await Promise.all([connectTemporal(target), connectWorkers(target)]);
  const workflowBundle = await currentWorkflowBundle(path.resolve(import.meta.dirname, '../indexer.bundle.ts'));
  const common = { connection, namespace: target.namespace, service: 'publish-ethereum-tests' };
  const activities = {
    publishEthereumLaunches: async () => {
      made += 1;
      const reading = readings.shift();
      if (reading === undefined) throw new Error('the index is away');
      return reading;
    },
  };
  const started = await Promise.all([
    createServiceWorker({ ...common, taskQueue: TASK_QUEUES.indexer, workflowBundle, activities: {} }),
    createServiceWorker({ ...common, taskQueue: TASK_QUEUES.gateway, activities }),
  ]);
  running = started.map((worker) => ({ worker, done: worker.run() }));
});
afterAll(async () => {
  await Promise.all(running.map(async ({ worker, done }) => (await worker.shutdown(), await done)));
  await temporal?.close();
  await connection?.close();
  await server?.stop();
});

/** Starts the publications; resolves with their handle after so many readings, during the next wait. */
async function runOf(name: string, scripted: readonly (EthereumFeedReading | null)[], expected: number) {
  readings.splice(0, readings.length, ...scripted);
  made = 0;
  const handle = await temporal.client.workflow.start(WORKFLOW_TYPES.publishEthereum, {
    workflowId: `${ETHEREUM_FEED_WORKFLOW_ID}-${name}`,
    taskQueue: TASK_QUEUES.indexer,
    args: [{ pause: null }],
  });
  for (const end = Date.now() + 60_000; ; await sleep(50)) {
    const { events } = await handle.fetchHistory();
    const isWaiting = events?.some((event) => event.timerStartedEventAttributes) ?? false;
    if (made === expected && isWaiting) return handle;
    if (Date.now() > end) throw new Error(`${made} readings instead of ${expected}`);
  }
}

describe('The publication of Ethereum launches on Temporal', () => {
  it('reads until the index has no more rows, and then waits for the next round', async () => {
    const more = { published: 200, held: 0, more: true };
    const handle = await runOf('read-on', [more, more, { published: 3, held: 1, more: false }], 3);
    await recordHistory('publish-ethereum', 'read-on', handle);
    await handle.terminate();
  });

  it('asks once per round in a deployment that reads no index', async () => {
    const handle = await runOf('no-index', [null], 1);
    await recordHistory('publish-ethereum', 'no-index', handle);
    await handle.terminate();
  });

  it('shows a failed reading and leaves it to the next round', async () => {
    const handle = await runOf('failed', [], 1);
    expect((await handle.describe()).memo).toMatchObject({ trouble: expect.stringMatching(/^round: .*, 1 times$/) });
    await recordHistory('publish-ethereum', 'failed', handle);
    await handle.terminate();
  });
});
