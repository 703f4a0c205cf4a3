import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { NativeConnection } from '@temporalio/worker';
import {
  connectTemporal,
  launchSearchAttributes,
  MAX_PAYLOAD_BYTES,
  promoteVersion,
  startOnce,
  type TemporalClient,
  type TemporalTarget,
} from '@launch/temporal';
import { sharedTemporal, uniqueName } from '@launch/testing';
import { currentWorkflowBundle, writeWorkflowBundle } from '../bundle/bundle-file.js';
import { loadWorkflowBundle } from '../bundle/built-bundle.js';
import type { WorkflowBundle } from '../bundle/bundle-workflows.js';
import { bundleWorkflows } from '../bundle/bundle-workflows.js';
import { connectWorkers, createServiceWorker, type ServiceWorkerOptions } from './service-worker.js';
import { installTemporalRuntime } from './runtime.js';

const entry = path.resolve(import.meta.dirname, '../testdata/probe.bundle.ts');

let target: TemporalTarget;
let temporal: TemporalClient;
let workers: NativeConnection;
let bundle: WorkflowBundle;

const silent = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };

beforeAll(async () => {
  installTemporalRuntime(silent);
  target = await sharedTemporal();
  [temporal, workers, bundle] = await Promise.all([
    connectTemporal(target),
    connectWorkers(target),
    bundleWorkflows(entry),
  ]);
});

afterAll(async () => {
  await temporal.close();
  await workers.close();
});

/** Runs `work` next to a worker with the probe's workflows on a separate queue. */
async function withWorker(
  options: Partial<ServiceWorkerOptions>,
  work: (taskQueue: string) => Promise<void>,
): Promise<void> {
  const taskQueue = uniqueName('probe');
  const worker = await createServiceWorker({
    connection: workers,
    namespace: target.namespace,
    taskQueue,
    service: 'probe',
    workflowBundle: bundle,
    activities: { echo: async (value: string) => (value === 'large' ? 'x'.repeat(MAX_PAYLOAD_BYTES + 1) : value) },
    ...options,
  });
  const running = worker.run();
  try {
    await work(taskQueue);
  } finally {
    await worker.shutdown();
    await running;
  }
}

const run = (taskQueue: string, value: string) =>
  temporal.client.workflow.execute('probe', { taskQueue, workflowId: uniqueName('probe'), args: [value] });

describe('a worker with a bundle', () => {
  it('runs workflows that import workspace sources, under an id without folder names', async () => {
    const root = path.resolve(import.meta.dirname, '../../../..');
    expect(bundle.code).not.toContain(root);
    const map = /sourceMappingURL=data:[^,]*,([A-Za-z0-9+/=]+)/.exec(bundle.code)?.[1] ?? '';
    expect(Buffer.from(map, 'base64').toString()).toContain('probe.bundle.ts');
    expect(Buffer.from(map, 'base64').toString()).not.toContain(root);
    await withWorker({}, async (taskQueue) => {
      expect(await run(taskQueue, 'hello')).toBe('hello');
      const handle = await temporal.client.workflow.start('waiting', { taskQueue, workflowId: uniqueName('waiting') });
      expect(await handle.query('attributeName')).toBe('LaunchId');
      await handle.signal('release');
      expect(await handle.result()).toBe('released');
    });
  });

  it.each(['auto-upgrade', 'pinned'] as const)(
    'takes part in versioning, %s',
    async (mode) => {
      const deployment = uniqueName('launch-probe');
      await withWorker({ versioning: { mode, deployment } }, async (taskQueue) => {
        await promoteVersion(temporal.client, { deployment, buildId: bundle.buildId }, { taskQueue, withinMs: 60_000 });
        const workflowId = uniqueName('probe');
        expect(await temporal.client.workflow.execute('probe', { taskQueue, workflowId, args: ['versioned'] })).toBe(
          'versioned',
        );
        const description = await temporal.client.workflow.getHandle(workflowId).describe();
        expect(description.raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion).toMatchObject({
          deploymentName: deployment,
          buildId: bundle.buildId,
        });
      });
    },
    90_000,
  );

  it('is ready only while it polls', async () => {
    const worker = await createServiceWorker({
      connection: workers,
      namespace: target.namespace,
      taskQueue: uniqueName('probe'),
      service: 'probe',
      workflowBundle: bundle,
    });
    await expect(worker.check()).rejects.toThrow(/INITIALIZED/);
    const running = worker.run();
    await worker.check();
    await Promise.all([worker.shutdown(), worker.shutdown()]);
    await running;
    await expect(worker.check()).rejects.toThrow(/STOPPED/);
  });
});

describe('The payload rule', () => {
  it('refuses a large argument before it reaches the server', async () => {
    const value = 'x'.repeat(MAX_PAYLOAD_BYTES);
    await expect(run(uniqueName('nobody'), value)).rejects.toThrow(/at most 65536/);
  });

  it('fails an activity with a large result permanently', async () => {
    await withWorker({}, async (taskQueue) => {
      await expect(run(taskQueue, 'large')).rejects.toMatchObject({
        cause: { cause: { type: 'PAYLOAD_TOO_LARGE', nonRetryable: true } },
      });
    });
  });
});

describe('startOnce', () => {
  it('starts one run per id, and another only after a failure', async () => {
    await withWorker({}, async (taskQueue) => {
      const workflowId = uniqueName('admit/probe');
      const searchAttributes = launchSearchAttributes({ launchId: workflowId, controller: '0x00', stage: 'reserved' });
      const start = () =>
        startOnce(temporal.client, {
          workflowType: 'waiting',
          workflowId,
          taskQueue,
          args: [],
          searchAttributes,
          memo: { launchId: workflowId },
        });
      expect(await Promise.all([start(), start(), start()])).toEqual(
        expect.arrayContaining(['started', 'already-started', 'already-started']),
      );
      const handle = temporal.client.workflow.getHandle(workflowId);
      await handle.terminate('for the test');
      expect(await start()).toBe('started');
      await handle.signal('release');
      await handle.result();
      expect(await start()).toBe('already-started');
      expect((await handle.describe()).memo).toEqual({ launchId: workflowId });
    });
  });
});

describe('The bundle files', () => {
  // Inside the workspace, so that the SDK, from which every bundle starts, can be resolved.
  const scratch = async (): Promise<string> => {
    const parent = path.resolve(import.meta.dirname, '../../dist');
    await mkdir(parent, { recursive: true });
    return mkdtemp(path.join(parent, 'spec-'));
  };

  it('are refused if absent or altered', async () => {
    const folder = await scratch();
    try {
      await expect(loadWorkflowBundle(path.join(folder, 'src', 'probe.bundle.ts'))).rejects.toMatchObject({
        code: 'BUNDLE_MISSING',
      });
      const source = path.join(folder, 'src', 'probe.bundle.ts');
      await mkdir(path.dirname(source));
      await writeFile(source, 'export async function nothing(): Promise<void> {}\n');
      const written = await writeWorkflowBundle(source);
      expect(await loadWorkflowBundle(`file://${source}`)).toEqual(written);
      await writeFile(written.codePath, `${await readFile(written.codePath, 'utf8')} `);
      await expect(loadWorkflowBundle(source)).rejects.toMatchObject({ code: 'BUNDLE_CORRUPT' });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('are reused while all of their inputs are unchanged, and rebuilt afterwards', async () => {
    const folder = await scratch();
    try {
      const source = path.join(folder, 'src', 'probe.bundle.ts');
      const imported = path.join(folder, 'src', 'answer.ts');
      await mkdir(path.dirname(source));
      await writeFile(imported, 'export const answer = 41;\n');
      await writeFile(
        source,
        "import { answer } from './answer.js';\nexport async function probe() { return answer; }\n",
      );
      const unbuilt = await currentWorkflowBundle(source);
      expect(unbuilt.code).toContain('answer = 41');
      const { buildId, codePath } = await writeWorkflowBundle(source);
      expect(buildId).toBe(unbuilt.buildId);
      const code = await readFile(codePath, 'utf8');
      expect(await currentWorkflowBundle(source)).toEqual({ code, buildId });
      await writeFile(codePath, `${code} `);
      await expect(currentWorkflowBundle(source)).rejects.toMatchObject({ code: 'BUNDLE_CORRUPT' });

      await writeFile(imported, 'export const answer = 42;\n');
      const changed = await currentWorkflowBundle(source);
      expect(changed.code).toContain('answer = 42');
      expect(changed.buildId).not.toBe(buildId);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('have the same id in a folder with a longer name', async () => {
    const folder = await scratch();
    try {
      const ids = ['here', 'in-a-folder-with-a-longer-name'].map(async (name) => {
        const root = path.join(folder, name);
        const source = path.join(root, 'probe.bundle.ts');
        await mkdir(root);
        await writeFile(source, 'export async function probe() { return 41; }\n');
        return (await bundleWorkflows(source, root)).buildId;
      });
      const [short, long] = await Promise.all(ids);
      expect(long).toBe(short);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('are not built from code that a workflow must not use', async () => {
    const folder = await scratch();
    try {
      const source = path.join(folder, 'bad.bundle.ts');
      await writeFile(
        source,
        "import { readFileSync } from 'node:fs';\nexport async function bad() { return readFileSync('/dev/null'); }\n",
      );
      await expect(bundleWorkflows(source)).rejects.toMatchObject({
        code: 'BUNDLE_FAILED',
        message: expect.stringContaining('node:fs'),
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
