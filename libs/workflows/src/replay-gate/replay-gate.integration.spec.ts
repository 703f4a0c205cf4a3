import { createHash } from 'node:crypto';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { NativeConnection } from '@temporalio/worker';
import { replayGateWorkflowId } from '@launch/contracts/orchestration';
import {
  awaitVersion,
  connectTemporal,
  parsePayloadKeys,
  passReplayGate,
  promoteVersion,
  readWorkerDeployment,
  type TemporalClient,
} from '@launch/temporal';
import { sharedTemporal, uniqueName } from '@launch/testing';
import {
  connectWorkers,
  createServiceWorker,
  currentWorkflowBundle,
  installTemporalRuntime,
  type WorkflowBundle,
} from '@launch/worker/scripted';

/** Versions of one deployment on a real server, with encrypted histories. */
jest.setTimeout(180_000);

const payloadKeys = parsePayloadKeys(`one=${'12'.repeat(32)}`);
const deployment = uniqueName('paced');
const taskQueue = deployment;
const WITHIN_MS = 60_000;

let target: { address: string; namespace: string };
let temporal: TemporalClient;
let connection: NativeConnection;
let first: WorkflowBundle;
let compatible: WorkflowBundle;
let incompatible: WorkflowBundle;
const stops = new Map<string, () => Promise<void>>();

const bundleOf = (name: string) =>
  currentWorkflowBundle(path.resolve(import.meta.dirname, `../fixtures/${name}.bundle.ts`));

beforeAll(async () => {
  installTemporalRuntime({ trace() {}, debug() {}, info() {}, warn() {}, error() {} });
  target = await sharedTemporal();
  [temporal, connection, first, incompatible] = await Promise.all([
    connectTemporal({ ...target, payloadKeys }),
    connectWorkers(target),
    bundleOf('paced'),
    bundleOf('paced-otherwise'),
  ]);
  // The SDK reads the source map from the end of the code.
  const code = `// The next release.\n${first.code}`;
  compatible = { code, buildId: createHash('sha256').update(code).digest('hex').slice(0, 16) };
});
afterAll(async () => {
  await Promise.all([...stops.values()].map((stop) => stop()));
  await temporal?.close();
  await connection?.close();
});

/** Starts a worker of a version, and waits until the server knows it. */
async function start(workflowBundle: WorkflowBundle): Promise<void> {
  const worker = await createServiceWorker({
    connection,
    namespace: target.namespace,
    payloadKeys,
    taskQueue,
    service: 'paced',
    workflowBundle,
    activities: { echo: async (payload: string) => payload },
    versioning: { mode: 'auto-upgrade', deployment },
  });
  const running = worker.run();
  stops.set(workflowBundle.buildId, async () => {
    await worker.shutdown();
    await running;
  });
  const { buildId } = workflowBundle;
  await awaitVersion(temporal.client, { deployment, buildId }, { taskQueue, withinMs: WITHIN_MS });
}

const gate = ({ buildId }: WorkflowBundle, withinMs = WITHIN_MS) =>
  passReplayGate(temporal.client, { deployment, buildId }, { taskQueue, withinMs });
const promote = ({ buildId }: WorkflowBundle) =>
  promoteVersion(temporal.client, { deployment, buildId }, { taskQueue, withinMs: WITHIN_MS });
const current = async () => (await readWorkerDeployment(temporal.client, deployment))?.current;

async function begin(kind: string): Promise<string> {
  const workflowId = uniqueName(kind);
  const handle = await temporal.client.workflow.start('paced', { taskQueue, workflowId, args: ['a payload'] });
  // Answers once a worker has taken the first task.
  await handle.query('__stack_trace');
  if (kind === 'closed') {
    await handle.signal('release');
    expect(await handle.result()).toBe('a payload');
  }
  return workflowId;
}

/** Waits until lists of workflows show these, because the server indexes them with a delay. */
async function listed(workflowIds: readonly string[]): Promise<void> {
  for (const until = Date.now() + WITHIN_MS; Date.now() < until;) {
    const found: string[] = [];
    for await (const { workflowId } of temporal.client.workflow.list({ query: `TaskQueue = '${taskQueue}'` }))
      found.push(workflowId);
    if (workflowIds.every((id) => found.includes(id))) return;
  }
  throw new Error('the server does not list the workflows');
}

describe('the replay gate', () => {
  let open: string;
  let closed: string;

  it('passes with no history, before any version is current', async () => {
    await start(first);
    expect(await gate(first)).toEqual({ replayed: 0, skipped: 0, failed: 0, failures: [] });
    expect(await current()).toBeNull();
    expect(await promote(first)).toMatchObject({ previous: null, changed: true });
  });

  it('replays open and closed encrypted histories on the workers of a compatible version, which then becomes current', async () => {
    [open, closed] = await Promise.all([begin('open'), begin('closed')]);
    await listed([open, closed]);
    await start(compatible);
    expect(await gate(compatible)).toEqual({ replayed: 2, skipped: 0, failed: 0, failures: [] });
    const { raw } = await temporal.client.workflow
      .getHandle(replayGateWorkflowId(deployment, compatible.buildId))
      .describe();
    expect(raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion?.buildId).toBe(compatible.buildId);
    expect(await current()).toBe(first.buildId);
    expect(await promote(compatible)).toMatchObject({ previous: first.buildId, changed: true });
  });

  it('refuses an incompatible version, and names the type, id and run of each workflow that it cannot continue', async () => {
    await start(incompatible);
    const refused = gate(incompatible);
    await expect(refused).rejects.toMatchObject({ code: 'VERSION_REPLAY_FAILED', retryable: false });
    await expect(refused).rejects.toThrow(`version ${incompatible.buildId} of ${deployment} was not promoted: 2 of 2`);
    for (const workflowId of [open, closed]) await expect(refused).rejects.toThrow(`paced ${workflowId} (run `);
    await expect(refused).rejects.not.toThrow(/a payload|replayGate/);
    expect(await current()).toBe(compatible.buildId);
    await temporal.client.workflow.getHandle(open).signal('release');
    expect(await temporal.client.workflow.getHandle(open).result()).toBe('a payload');
  });

  it('ends in time with a code of its own where no worker of the version takes its task', async () => {
    await stops.get(first.buildId)!();
    await expect(gate(first, 2_000)).rejects.toMatchObject({ code: 'VERSION_GATE_TIMEOUT', retryable: true });
  });
});
