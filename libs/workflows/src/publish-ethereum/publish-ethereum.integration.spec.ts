import path from 'node:path';
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

/** The publications of the feed of Ethereum on a real Temporal server; what a reading comes to is scripted. */
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

async function runOf(name: string, scripted: readonly (EthereumFeedReading | null)[]) {
  readings.splice(0, readings.length, ...scripted);
  made = 0;
  return temporal.client.workflow.start(WORKFLOW_TYPES.publishEthereum, {
    workflowId: `${ETHEREUM_FEED_WORKFLOW_ID}-${name}`,
    taskQueue: TASK_QUEUES.indexer,
    args: [],
  });
}

describe('publishEthereum on Temporal', () => {
  it('reads on until the index has no more', async () => {
    const more = { published: 200, held: 0, more: true };
    const handle = await runOf('read-on', [more, more, { published: 3, held: 1, more: false }]);
    await handle.result();
    expect(made).toBe(3);
    await recordHistory('publish-ethereum', 'read-on', handle);
  });

  it('asks once where the deployment reads no index', async () => {
    const handle = await runOf('no-index', [null]);
    await handle.result();
    expect(made).toBe(1);
    await recordHistory('publish-ethereum', 'no-index', handle);
  });

  it('leaves a reading that fails to the next run', async () => {
    const handle = await runOf('failed', []);
    await expect(handle.result()).rejects.toThrow();
    expect(made).toBe(1);
  });
});
