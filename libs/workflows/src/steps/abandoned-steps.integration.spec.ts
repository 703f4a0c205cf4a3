import type { Finding } from '@launch/contracts/errors';
import {
  CUSTODY_SERVICE,
  NAMESPACES,
  admitWorkflowId,
  preflightWorkflowId,
  SEARCH_ATTRIBUTE_TYPES,
  SEARCH_ATTRIBUTES,
  STEP_ABANDONED,
  TASK_QUEUES,
  WORKFLOW_TYPES,
  type AdmissionActivities,
  type AdmitLaunchInput,
  type CompilationActivities,
  type CustodyOperations,
  type EvaluateSourceResult,
  type LaunchRef,
} from '@launch/contracts/orchestration';
import type { Hex } from '@launch/contracts/primitives';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';
import type { NativeConnection } from '@temporalio/worker';
import { isOutage } from '@launch/platform';
import { connectTemporal, launchSearchAttributes, type TemporalClient } from '@launch/temporal';
import {
  activityStep,
  connectWorkers,
  createServiceWorker,
  currentWorkflowBundle,
  installTemporalRuntime,
  scriptedService,
  type ServiceWorker,
} from '@launch/worker/scripted';
import { startTemporal, type TemporalServer } from '@launch/temporal-server';
import { COMPILATION } from '../fixtures/compilation.fixture.js';
import { recordHistory } from '../fixtures/recorded-histories.fixture.js';

/**
 * Runs steps that never succeed, at the activity edge of the services, on a real Temporal server. All launches run in
 * parallel through the product's real pauses.
 */
jest.setTimeout(180_000);
const digest = (digit: string) => `sha256:${digit.repeat(64)}` as const;
const word = (digit: string): `0x${string}` => `0x${digit.repeat(64)}`;

interface Launch {
  readonly handle: WorkflowHandle;
  readonly id: string;
}
interface LaunchRecord {
  readonly steps: string[];
  readonly recorded: { readonly findings?: readonly Finding[]; readonly nonceReleased?: boolean }[];
}
type Trouble = 'compile faults' | 'providers are away' | 'custody faults' | 'custody is silent';
const troubles = new Map<string, Trouble>();
const records = new Map<string, LaunchRecord>();
const of = (launchId: string | null): LaunchRecord => records.get(launchId ?? '') ?? { steps: [], recorded: [] };

const step = activityStep({ isOutage, unknown: () => 'STEP_FAILED', onTrouble: () => undefined });
const edge = <A extends object>(activities: A): A =>
  Object.fromEntries(
    Object.entries(activities).map(([name, run]) => [
      name,
      (...args: unknown[]) => step(() => (run as (...args: unknown[]) => Promise<unknown>)(...args)),
    ]),
  ) as unknown as A;
const broken = (): never => (undefined as unknown as { read(): never }).read();
const away = (): never => {
  throw Object.assign(new Error('PROVIDERS_UNDECIDED: they disagree'), {
    code: 'PROVIDERS_UNDECIDED',
    retryable: true,
  });
};

const admission: Pick<AdmissionActivities, 'rehearseLaunch' | 'issueRefusal'> = {
  rehearseLaunch: async () => ({ kind: 'passed' }),
  async issueRefusal({ launchId, codes }) {
    of(launchId).steps.push(`refusal for ${codes.join()}`);
    return { refusalSha256: digest('c') };
  },
};
/** An activity of several steps that names its current one. */
const judgeRequest = ({ launchId }: LaunchRef): Promise<EvaluateSourceResult> =>
  step(async (_signal, { reach }) => {
    reach({ step: 'judgeGraph' });
    if (launchId !== null && troubles.get(launchId) === 'providers are away') away();
    return {
      receipt: { receiptSha256: digest('9'), disposition: 'source_supported', assessment: {} as never },
      economicsHash: word('8'),
      findings: [],
    };
  });
const compilation: CompilationActivities = {
  async compileRequest({ launchId }) {
    of(launchId).steps.push('compile');
    return launchId === null || troubles.get(launchId) === 'compile faults' ? broken() : COMPILATION;
  },
};
let endSilence: () => void;
const silence = new Promise<void>((resolve) => (endSilence = resolve));
const custody: CustodyOperations = {
  async signPermit({ launchId }) {
    of(launchId).steps.push('sign');
    if (troubles.get(launchId) === 'custody is silent') await silence;
    return broken();
  },
  async refuseLaunch(input) {
    of(input.launchId).steps.push(`refuse by ${'refusalSha256' in input ? input.refusalSha256 : 'nobody'}`);
    return troubles.get(input.launchId) === 'custody faults'
      ? { kind: 'digest-exists', permitDigest: word('5') }
      : { kind: 'refused' };
  },
};
const recording =
  (name: string) =>
  async ({ launchId, ...more }: { launchId: string }): Promise<void> => {
    of(launchId).steps.push(name);
    of(launchId).recorded.push(more);
  };

let server: TemporalServer;
let temporal: TemporalClient;
let workers: NativeConnection;
let running: { worker: ServiceWorker; done: Promise<void> }[] = [];
const launches = new Map<Trouble, Launch>();
let preflight: WorkflowHandle;
let losing: WorkflowHandle;
let hung = 0;

beforeAll(async () => {
  installTemporalRuntime({ trace() {}, debug() {}, info() {}, warn() {}, error() {} });
  server = await startTemporal({ searchAttributes: SEARCH_ATTRIBUTE_TYPES });
  const target = { address: server.address, namespace: server.namespace };
  [temporal, workers] = await Promise.all([connectTemporal(target), connectWorkers(target)]);
  const workflowBundle = await currentWorkflowBundle(
    path.resolve(import.meta.dirname, '../fixtures/lost-step.bundle.ts'),
  );
  const common = {
    connection: workers,
    namespace: target.namespace,
    service: 'abandoned-steps-tests',
    shutdownGraceMs: 100,
  };
  const gateway = Object.fromEntries(
    ['recordAdmitting', 'recordAssessment', 'recordRefused', 'recordFailed', 'recordExpired'].map((name) => [
      name,
      recording(name),
    ]),
  );
  const hang = (): Promise<void> => ((hung += 1), new Promise((resolve) => setTimeout(resolve, 2_500)));
  const started = await Promise.all([
    createServiceWorker({
      ...common,
      taskQueue: TASK_QUEUES.admission,
      workflowBundle,
      activities: { ...edge(admission), judgeRequest },
    }),
    createServiceWorker({ ...common, taskQueue: TASK_QUEUES.compilation, activities: edge(compilation) }),
    createServiceWorker({
      ...common,
      namespace: NAMESPACES.custody,
      taskQueue: TASK_QUEUES.custody,
      operations: scriptedService(CUSTODY_SERVICE, custody),
    }),
    createServiceWorker({ ...common, taskQueue: TASK_QUEUES.gateway, activities: edge(gateway) }),
    createServiceWorker({ ...common, taskQueue: 'stuck', activities: { hang } }),
  ]);
  running = started.map((worker) => ({ worker, done: worker.run() }));
  for (const trouble of ['compile faults', 'providers are away', 'custody faults', 'custody is silent'] as const)
    launches.set(trouble, await admit(trouble));
  preflight = await temporal.client.workflow.start(WORKFLOW_TYPES.evaluateSource, {
    workflowId: preflightWorkflowId(randomUUID()),
    taskQueue: TASK_QUEUES.admission,
    args: [{ ref: refOf(null) }],
  });
  losing = await temporal.client.workflow.start('loseSteps', {
    workflowId: 'lost',
    taskQueue: TASK_QUEUES.admission,
    args: ['stuck'],
  });
});
afterAll(async () => {
  await Promise.all(running.map(async ({ worker, done }) => (await worker.shutdown(), await done)));
  await temporal?.close();
  await workers?.close();
  await server?.stop();
});

const CONTROLLER = `0x${'4'.repeat(40)}`;
const refOf = (launchId: string | null): LaunchRef => ({
  launchId,
  requestSha256: digest('1'),
  requestHash: word('2'),
  contextHash: word('3'),
  controller: CONTROLLER as Hex,
});

/** A launch whose window ends immediately, so that a step that waits during an outage gets the minimum time. */
async function admit(trouble: Trouble): Promise<Launch> {
  const launchId = randomUUID();
  troubles.set(launchId, trouble);
  records.set(launchId, { steps: [], recorded: [] });
  const deadline = String(Math.floor(Date.now() / 1_000) + (trouble === 'providers are away' ? -60 : 1_800));
  const input: AdmitLaunchInput = { ref: refOf(launchId), deadline };
  const handle = await temporal.client.workflow.start(WORKFLOW_TYPES.admitLaunch, {
    workflowId: admitWorkflowId(launchId),
    taskQueue: TASK_QUEUES.admission,
    args: [input],
    typedSearchAttributes: launchSearchAttributes({ launchId, controller: CONTROLLER, stage: 'reserved' }),
    memo: { launchId, controller: CONTROLLER, stage: 'reserved' },
  });
  return { handle, id: launchId };
}
async function ended(trouble: Trouble) {
  const { handle, id } = launches.get(trouble)!;
  const result: unknown = await handle.result();
  const { memo, searchAttributes } = await handle.describe();
  return { result, handle, memo, stage: searchAttributes[SEARCH_ATTRIBUTES.stage], ...of(id) };
}

it('The server reports a lost step to the workflow, which counts it.', async () => {
  expect(await losing.result()).toBe('hang: TIMEOUT_HEARTBEAT');
  expect(hung).toBe(3);
});

it('A preflight whose step always throws a TypeError fails by name within the timeout of its client.', async () => {
  await expect(preflight.result()).rejects.toMatchObject({
    cause: { type: STEP_ABANDONED, message: 'compileRequest: STEP_FAILED', nonRetryable: true },
  });
  await recordHistory('evaluate-source', 'abandoned', preflight);
});

it('The workflow calls a custody that always throws a TypeError five times, and then fails a committed launch, which keeps its nonce.', async () => {
  const { result, handle, stage, memo, steps, recorded } = await ended('custody faults');
  expect([result, stage]).toEqual(['failed', ['faulted']]);
  expect(steps.slice(steps.indexOf('sign'))).toEqual([
    ...Array.from({ length: 5 }, () => 'sign'),
    'refusal for INTERNAL',
    `refuse by ${digest('c')}`,
    'recordFailed',
  ]);
  expect(recorded.at(-1)).toMatchObject({ findings: [{ code: 'INTERNAL', actual: 'signPermit: STEP_FAILED' }] });
  expect(memo).toMatchObject({ stage: 'faulted' });
  await recordHistory('admit-launch', 'custody-faulted', handle);
});

it('A cancelled admission ends without the answer of a custody that is silent.', async () => {
  const { handle, id } = launches.get('custody is silent')!;
  while (!of(id).steps.includes('sign')) await new Promise((resolve) => setTimeout(resolve, 50));
  await handle.cancel();
  await expect(handle.result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } });
  expect(of(id).steps).not.toContain('recordFailed');
  endSilence();
});

it('A step that always throws a TypeError is tried five times, and then its launch gets a signed refusal with a free nonce, which its memo shows to an operator.', async () => {
  const { result, handle, stage, memo, steps, recorded } = await ended('compile faults');
  expect([result, stage]).toEqual(['refused', ['faulted']]);
  expect(steps.filter((name) => name !== 'recordAdmitting')).toEqual([
    ...Array.from({ length: 5 }, () => 'compile'),
    'refusal for INTERNAL',
    `refuse by ${digest('c')}`,
    'recordRefused',
  ]);
  expect(recorded.at(-1)).toMatchObject({
    nonceReleased: true,
    findings: [{ code: 'INTERNAL', actual: 'compileRequest: STEP_FAILED' }],
  });
  expect(memo).toMatchObject({ stage: 'faulted', trouble: 'compileRequest: STEP_FAILED, 5 times' });
  const history = JSON.stringify(await handle.fetchHistory());
  for (const text of ['undefined (reading', 'at broken']) expect(history).not.toContain(text);
  await recordHistory('admit-launch', 'compile-faulted', handle);
});

it('Only the window ends an outage, and the launch is refused as expired with a free nonce.', async () => {
  const { result, handle, stage, recorded } = await ended('providers are away');
  expect([result, stage]).toEqual(['refused', ['refused']]);
  expect(recorded.at(-1)).toMatchObject({
    nonceReleased: true,
    findings: [{ code: 'PERMIT_EXPIRED', actual: 'judgeGraph: PROVIDERS_UNDECIDED' }],
  });
  await recordHistory('admit-launch', 'outage-past-the-window', handle);
});
