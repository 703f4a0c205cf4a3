import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NativeConnection } from '@temporalio/worker';
import { admitWorkflowId, observeWorkflowId, WORKFLOW_TYPES } from '@launch/contracts/orchestration';
import { connectTemporal, type TemporalClient } from '@launch/temporal';
import { startTemporal, type TemporalServer } from '@launch/temporal-server';
import {
  connectWorkers,
  createServiceWorker,
  currentWorkflowBundle,
  installTemporalRuntime,
} from '@launch/worker/scripted';
import { brokenWorkflows } from './rollout-checks.js';

const taskQueue = 'rollout';
const POLL_MS = 500;

let server: TemporalServer;
let temporal: TemporalClient;
let workers: NativeConnection;

beforeAll(async () => {
  installTemporalRuntime({ trace() {}, debug() {}, info() {}, warn() {}, error() {} });
  server = await startTemporal({ uiPort: 0 });
  [temporal, workers] = await Promise.all([connectTemporal(server), connectWorkers(server)]);
});
afterAll(async () => {
  await temporal.close();
  await workers.close();
  await server.stop();
});

/** Starts a worker of a release. Returns a function that stops it. */
async function start(release: 'older' | 'newer'): Promise<() => Promise<void>> {
  const worker = await createServiceWorker({
    connection: workers,
    namespace: server.namespace,
    taskQueue,
    service: 'rollout',
    workflowBundle: await currentWorkflowBundle(
      path.join(import.meta.dirname, 'testdata', `${release}-release.bundle.ts`),
    ),
  });
  const running = worker.run();
  return async () => {
    await worker.shutdown();
    await running;
  };
}

describe('The check of histories after a change of the release', () => {
  it('names each workflow that the new release could not replay, and no other.', async () => {
    const ui = server.ui!;
    const launchId = randomUUID();
    const stopOlder = await start('older');
    const begin = (type: string, workflowId: string) =>
      temporal.client.workflow.start(type, { taskQueue, workflowId, workflowExecutionTimeout: '10 minutes' });
    const admission = await begin(WORKFLOW_TYPES.admitLaunch, admitWorkflowId(launchId));
    const observation = await begin(WORKFLOW_TYPES.observeLaunch, observeWorkflowId(launchId));
    for (const one of [admission, observation]) await one.query('__stack_trace');
    expect(await brokenWorkflows(ui, [launchId])).toEqual([]);
    await stopOlder();

    const stopNewer = await start('newer');
    for (const one of [admission, observation]) await one.signal('release');
    await observation.result();
    let broken: readonly string[] = [];
    while (broken.length === 0) {
      await sleep(POLL_MS);
      broken = await brokenWorkflows(ui, [launchId]);
    }
    expect(new Set(broken)).toEqual(
      new Set([`${admitWorkflowId(launchId)} WORKFLOW_TASK_FAILED_CAUSE_NON_DETERMINISTIC_ERROR`]),
    );
    await stopNewer();
  });

  it('refuses a launch without workflows.', async () => {
    await expect(brokenWorkflows(server.ui!, [randomUUID()])).rejects.toThrow('workflows are missing');
  });
});
