import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { NativeConnection } from '@temporalio/worker';
import {
  connectTemporal,
  promoteVersion,
  readWorkerDeployment,
  type Promotion,
  type TemporalClient,
  type TemporalTarget,
} from '@launch/temporal';
import { sharedTemporal, uniqueName } from '@launch/testing';
import { currentWorkflowBundle } from '../bundle/bundle-file.js';
import type { WorkflowBundle } from '../bundle/bundle-workflows.js';
import { buildIdOf } from '../bundle/built-bundle.js';
import { installTemporalRuntime } from './runtime.js';
import { connectWorkers, createServiceWorker } from './service-worker.js';

const entry = path.resolve(import.meta.dirname, '../testdata/probe.bundle.ts');

let target: TemporalTarget;
let temporal: TemporalClient;
let workers: NativeConnection;
let older: WorkflowBundle;
let newer: WorkflowBundle;
const deployment = uniqueName('probe');
const taskQueue = deployment;
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  installTemporalRuntime({ trace() {}, debug() {}, info() {}, warn() {}, error() {} });
  target = await sharedTemporal();
  [temporal, workers, older] = await Promise.all([
    connectTemporal(target),
    connectWorkers(target),
    currentWorkflowBundle(entry),
  ]);
  // The SDK reads the source map from the end of the code.
  const code = `// The next release.\n${older.code}`;
  newer = { code, buildId: buildIdOf(code) };
});
afterAll(async () => {
  await Promise.all(stops.map((stop) => stop()));
  await temporal.close();
  await workers.close();
});

/** Starts a worker of a version. Returns a function that stops it. */
async function start(workflowBundle: WorkflowBundle): Promise<() => Promise<void>> {
  const worker = await createServiceWorker({
    connection: workers,
    namespace: target.namespace,
    taskQueue,
    service: 'probe',
    workflowBundle,
    activities: { echo: async (value: string) => value },
    versioning: { mode: 'auto-upgrade', deployment },
  });
  const running = worker.run();
  const stop = async (): Promise<void> => {
    await worker.shutdown();
    await running;
  };
  stops.push(stop);
  return stop;
}

const promote = (buildId: string, withinMs = 60_000): Promise<Promotion> =>
  promoteVersion(temporal.client, { deployment, buildId }, { taskQueue, withinMs });
const current = async () => (await readWorkerDeployment(temporal.client, deployment))?.current;
const begin = () => temporal.client.workflow.start('waiting', { taskQueue, workflowId: uniqueName('waiting') });

/** Returns the version that took the last workflow task of a run. */
async function versionOf(workflowId: string) {
  const { raw } = await temporal.client.workflow.getHandle(workflowId).describe();
  return raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion?.buildId;
}

describe('the promotion of a version', () => {
  it('is refused while no worker of the version has polled', async () => {
    await expect(promote(older.buildId, 0)).rejects.toMatchObject({ code: 'VERSION_UNKNOWN', retryable: true });
    expect(await readWorkerDeployment(temporal.client, deployment)).toBeNull();
  });

  it('moves open workflows to a new version and back, and a worker that restarts moves none', async () => {
    const stopOlder = await start(older);
    const waited = await begin();
    expect(await promote(older.buildId)).toMatchObject({ previous: null, changed: true });
    // The workflow began before any version was current; the promoted version takes it over.
    await waited.query('attributeName');
    expect(await promote(older.buildId)).toMatchObject({ previous: older.buildId, changed: false });

    await start(newer);
    const during = await begin();
    await during.query('attributeName');
    expect(await versionOf(during.workflowId)).toBe(older.buildId);
    expect(await current()).toBe(older.buildId);

    expect(await promote(newer.buildId)).toMatchObject({ previous: older.buildId, changed: true });
    await stopOlder();
    await start(older);
    await waited.signal('release');
    expect(await waited.result()).toBe('released');
    expect(await versionOf(waited.workflowId)).toBe(newer.buildId);
    expect(await current()).toBe(newer.buildId);

    expect(await promote(older.buildId)).toMatchObject({ previous: newer.buildId, changed: true });
    await during.signal('release');
    expect(await during.result()).toBe('released');
    expect(await versionOf(during.workflowId)).toBe(older.buildId);
    const { versions } = (await readWorkerDeployment(temporal.client, deployment)) ?? {};
    expect(versions?.find(({ buildId }) => buildId === older.buildId)).toMatchObject({ status: 'current' });
    expect(versions?.map(({ buildId }) => buildId)).toEqual(expect.arrayContaining([older.buildId, newer.buildId]));
  });

  it('is refused once the workers of the version are gone', async () => {
    await Promise.all(stops.map((stop) => stop()));
    const now = Date.now();
    // The server records the end of a poll, so a stopped worker counts as gone one poll interval later.
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now + 120_000);
    try {
      await expect(promote(newer.buildId, 0)).rejects.toMatchObject({ code: 'VERSION_NOT_POLLING' });
    } finally {
      clock.mockRestore();
    }
    expect(await current()).toBe(older.buildId);
  });
});
