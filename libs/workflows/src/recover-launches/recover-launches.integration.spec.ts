import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { NativeConnection } from '@temporalio/worker';
import {
  RECOVERY_WORKFLOW_ID,
  SEARCH_ATTRIBUTE_TYPES,
  TASK_QUEUES,
  type RecoveryBlock,
  type RecoveryResolveActivities,
  type RecoveryScanActivities,
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

/** Runs the recovery on a real Temporal server over both its queues with scripted searches. */
jest.setTimeout(180_000);
const ROUTER = `0x${'2'.repeat(40)}` as const;
const STAMP = { onchainLaunchId: `0x${'1'.repeat(64)}` as const, transactionHash: `0x${'7'.repeat(64)}` as const };
const block = (number: number): RecoveryBlock => ({
  blockNumber: String(number),
  blockHash: `0x${number.toString(16).padStart(64, '0')}` as const,
});

const steps: string[] = [];
let searches = 0;
const finality: RecoveryScanActivities = {
  finalizedHead: async () => ({ head: block(9), reason: null }),
  async scanStamps({ router, head }) {
    const search = searches++;
    steps.push(`scan ${search}`);
    // A stamp, then a step with nothing new, then a disagreement, after which the workflow waits for the next round.
    return {
      router,
      observation: search === 2 ? 'indeterminate' : 'agreed',
      reason: search === 2 ? 'stamps: a and b disagree' : null,
      stamps: search === 0 ? [STAMP] : [],
      before: search === 0 ? null : block(9),
      through: block(9),
      head,
      nextScanMs: search < 2 ? 0 : 15_000,
    };
  },
  commitCheckpoint: async ({ through }) => void steps.push(`commit ${through?.blockNumber}`),
};
const gateway: RecoveryResolveActivities = {
  recoveryTargets: async () => [{ router: ROUTER, fromBlock: '3' }],
  async resolveStamps({ stamps }) {
    steps.push(`resolve ${stamps.length}`);
    return { woken: stamps.length };
  },
  recordRecovery: async ({ observation }) => void steps.push(`report ${observation}`),
};

let server: TemporalServer;
let temporal: TemporalClient;
let workers: NativeConnection;
let running: { worker: ServiceWorker; done: Promise<void> }[] = [];
beforeAll(async () => {
  installTemporalRuntime({ trace() {}, debug() {}, info() {}, warn() {}, error() {} });
  server = await startTemporal({ searchAttributes: SEARCH_ATTRIBUTE_TYPES });
  const target = { address: server.address, namespace: server.namespace };
  [temporal, workers] = await Promise.all([connectTemporal(target), connectWorkers(target)]);
  const workflowBundle = await currentWorkflowBundle(path.resolve(import.meta.dirname, '../finality.bundle.ts'));
  const common = { connection: workers, namespace: target.namespace, service: 'recover-launches-tests' };
  const started = await Promise.all([
    createServiceWorker({ ...common, taskQueue: TASK_QUEUES.finality, workflowBundle, activities: finality }),
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

describe('The recovery on Temporal', () => {
  it('resolves a stamp before it moves the checkpoint, continues the search, and waits when there is nothing new', async () => {
    const handle = await temporal.client.workflow.start('recoverLaunches', {
      workflowId: RECOVERY_WORKFLOW_ID,
      taskQueue: TASK_QUEUES.finality,
      args: [{ pause: null }],
    });
    const isWaiting = async () => {
      const { events } = await handle.fetchHistory();
      return events?.some((event) => event.timerStartedEventAttributes) ?? false;
    };
    for (const end = Date.now() + 60_000; !(await isWaiting()); await sleep(50))
      if (Date.now() > end) throw new Error(`waited in vain after ${steps.join(', ')}`);
    expect(steps).toEqual([
      'scan 0',
      'resolve 1',
      'commit 9',
      'report agreed',
      'scan 1',
      'report agreed',
      'scan 2',
      'report indeterminate',
    ]);
    await recordHistory('recover-launches', 'open-waiting', handle);
    await handle.terminate();
  });
});
