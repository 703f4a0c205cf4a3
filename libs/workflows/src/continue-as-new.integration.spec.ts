import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Worker, type InjectedSinks, type NativeConnection } from '@temporalio/worker';
import {
  observeWorkflowId,
  RECOVERY_WORKFLOW_ID,
  SEARCH_ATTRIBUTE_TYPES,
  SEARCH_ATTRIBUTES,
  TASK_QUEUES,
  TRANSACTION_HINT_SIGNAL,
  WORKFLOW_TYPES,
  type ObservationMemory,
  type ObservedStage,
  type ObserveLaunchInput,
  type ObservePollInput,
  type RecoveryBlock,
  type ScanStampsInput,
} from '@launch/contracts/orchestration';
import { connectTemporal, dataConverterOf, launchSearchAttributes, type TemporalClient } from '@launch/temporal';
import { connectWorkers, currentWorkflowBundle, installTemporalRuntime } from '@launch/worker/scripted';
import { startTemporal, type TemporalServer } from '@launch/temporal-server';
import type { BoundarySinks } from './fixtures/boundary.bundle.js';
import { digest, seen } from './fixtures/observed.fixture.js';
import { recordHistory } from './fixtures/recorded-histories.fixture.js';

/**
 * Runs both endless workflows across several runs, on a real Temporal server that suggests a new run after a few
 * observations.
 */
jest.setTimeout(180_000);
const LONG_EVENTS = 40;
const RUNS = 3;
const hash = (number: number): `0x${string}` => `0x${number.toString(16).padStart(64, '0')}`;

let server: TemporalServer;
let temporal: TemporalClient;
let workers: NativeConnection;
let running: { worker: Worker; done: Promise<void> }[] = [];
/** Signals that arrive at the moment when a run ends, once per run. */
const crossings = new Map<string, (runId: string) => Promise<void>>();
const crossed = new Set<string>();

const observed: ObservePollInput[] = [];
const answered: ObservationMemory[] = [];
const recovered: { readonly steps: string[]; searches: number } = { steps: [], searches: 0 };
const HELD = `0x${'2'.repeat(40)}`;
const block = (number: number): RecoveryBlock => ({ blockNumber: String(number), blockHash: hash(number) });
let gatewaySteps: string[] = [];
const note = (step: string) => async (): Promise<void> => void gatewaySteps.push(step);

beforeAll(async () => {
  installTemporalRuntime({ trace() {}, debug() {}, info() {}, warn() {}, error() {} });
  server = await startTemporal({
    searchAttributes: SEARCH_ATTRIBUTE_TYPES,
    dynamicConfig: { 'limit.historyCount.suggestContinueAsNew': LONG_EVENTS },
  });
  const target = { address: server.address, namespace: server.namespace };
  [temporal, workers] = await Promise.all([connectTemporal(target), connectWorkers(target)]);
  const { code } = await currentWorkflowBundle(path.resolve(import.meta.dirname, 'fixtures/boundary.bundle.ts'));
  const sinks: InjectedSinks<BoundarySinks> = {
    boundary: {
      crossing: {
        async fn(_info, workflowId, runId) {
          if (crossed.has(runId)) return;
          crossed.add(runId);
          await crossings.get(workflowId)?.(runId);
        },
      },
    },
  };
  const common = {
    connection: workers,
    namespace: server.namespace,
    dataConverter: dataConverterOf(server),
    identity: 'worker',
  };
  const started = [
    await Worker.create({
      ...common,
      taskQueue: TASK_QUEUES.finality,
      workflowBundle: { code },
      sinks,
      activities: {
        observe: async (input: ObservePollInput) => look(input),
        buildFinalizedRecord: async () => ({ recordSha256: digest('f') }),
        finalizedHead: async () => ({ head: block(900), reason: null }),
        scanStamps: async ({ router, head }: ScanStampsInput) => {
          const search = recovered.searches++;
          recovered.steps.push(`scan ${search}`);
          return {
            router,
            observation: 'agreed',
            reason: null,
            stamps: [{ onchainLaunchId: hash(search), transactionHash: hash(search) }],
            before: search === 0 ? null : block(search),
            through: block(search + 1),
            head,
            nextScanMs: 0,
          };
        },
        commitCheckpoint: async ({ through }: { through: RecoveryBlock | null }) =>
          void recovered.steps.push(`commit ${through?.blockNumber}`),
      },
    }),
    await Worker.create({
      ...common,
      taskQueue: TASK_QUEUES.gateway,
      activities: {
        recordAwaitingSignature: note('awaiting'),
        recordSubmitted: note('submitted'),
        recordFinality: note('finality'),
        recordFinalized: note('finalized'),
        recoveryTargets: async () => [{ router: HELD, fromBlock: '3' }],
        resolveStamps: async ({ stamps }: { stamps: { transactionHash: string }[] }) => {
          recovered.steps.push(`resolve ${Number(stamps[0]?.transactionHash)}`);
          return { woken: 1 };
        },
        recordRecovery: async () => undefined,
      },
    }),
  ];
  running = started.map((worker) => ({ worker, done: worker.run() }));
});

afterAll(async () => {
  for (const { worker, done } of running) {
    worker.shutdown();
    await done;
  }
  await temporal?.close();
  await workers?.close();
  await server?.stop();
});

/** Pending, then included until enough runs have passed, then finalized. */
function look(input: ObservePollInput): ReturnType<typeof seen> {
  const poll = observed.push(input);
  const stage: ObservedStage =
    crossed.size >= RUNS ? 'finalized' : ((['pending', 'submitted'] as const)[poll - 1] ?? 'included');
  const result = seen(stage, poll, 10);
  // Only the memory of the run has this; if it were lost, a later observation would miss it.
  const memory: ObservationMemory = {
    ...result.memory,
    stageSince: new Date(1_800_000_000_000 + poll).toISOString(),
    statedAt: new Date(1_800_000_000_000 + poll).toISOString(),
    isStartSeen: poll % 2 === 0,
  };
  answered.push(memory);
  return { ...result, memory };
}

async function eventsOf(workflowId: string, runId: string) {
  return (await temporal.client.workflow.getHandle(workflowId, runId).fetchHistory()).events ?? [];
}

/**
 * Checks that every run continued in another, and returns the runs that had to repeat the decision to continue because
 * a signal arrived.
 */
async function disturbed(workflowId: string, runIds: Iterable<string>): Promise<boolean[]> {
  const found: boolean[] = [];
  for (const runId of runIds) {
    const events = await eventsOf(workflowId, runId);
    expect(events.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId).toMatch(/^[0-9a-f-]{36}$/);
    found.push(events.some(({ workflowTaskFailedEventAttributes }) => workflowTaskFailedEventAttributes != null));
  }
  return found;
}

describe('An observation with a long history', () => {
  it('continues in a new run with its exact state, and loses no hint that arrives during the change', async () => {
    const launchId = randomUUID();
    const controller = `0x${'4'.repeat(40)}`;
    const workflowId = observeWorkflowId(launchId);
    const signalled: string[] = [];
    crossings.set(workflowId, async () => {
      const hint = hash(0x100 + signalled.length);
      signalled.push(hint);
      await temporal.client.workflow.getHandle(workflowId).signal(TRANSACTION_HINT_SIGNAL, hint);
    });
    const input: ObserveLaunchInput = {
      launchId,
      requestSha256: digest('1'),
      requestHash: hash(2),
      handoffSha256: digest('3'),
      controller,
      hints: [hash(1)],
    };
    const handle = await temporal.client.workflow.start(WORKFLOW_TYPES.observeLaunch, {
      workflowId,
      taskQueue: TASK_QUEUES.finality,
      args: [input],
      typedSearchAttributes: launchSearchAttributes({ launchId, controller, stage: 'pending' }),
      memo: { launchId, controller, stage: 'pending' },
    });
    expect(await handle.result()).toBe('finalized');

    // The server refused the first decision of each run, because a signal preceded it.
    expect(signalled).toHaveLength(RUNS);
    expect(await disturbed(workflowId, crossed)).toEqual(signalled.map(() => true));
    expect(observed.at(-1)?.hints).toEqual([hash(1), ...signalled]);
    // Every observation has the exact result of the one before it, across runs.
    expect(observed.map(({ before }) => before?.memory ?? null)).toEqual([null, ...answered.slice(0, -1)]);
    expect(gatewaySteps.filter((step) => step !== 'finality')).toEqual(['awaiting', 'submitted', 'finalized']);
    const { searchAttributes, memo, runId } = await handle.describe();
    expect(crossed.has(runId)).toBe(false);
    expect(searchAttributes).toMatchObject({
      [SEARCH_ATTRIBUTES.launchId]: [launchId],
      [SEARCH_ATTRIBUTES.controller]: [controller],
      [SEARCH_ATTRIBUTES.stage]: ['finalized'],
    });
    expect(memo).toMatchObject({ launchId, controller, stage: 'finalized' });

    const [first, second] = [...crossed] as [string, string];
    await recordHistory('observe-launch', 'continued', temporal.client.workflow.getHandle(workflowId, first));
    await recordHistory(
      'observe-launch',
      'resumed-and-continued',
      temporal.client.workflow.getHandle(workflowId, second),
    );
  });
});

describe('A recovery with a long history', () => {
  it('continues in a new run and searches each range once and in order', async () => {
    crossed.clear();
    gatewaySteps = [];
    let reached: () => void = () => undefined;
    const enough = new Promise<void>((resolve) => (reached = resolve));
    crossings.set(RECOVERY_WORKFLOW_ID, async () => void (crossed.size > RUNS && reached()));
    const handle = await temporal.client.workflow.start(WORKFLOW_TYPES.recoverLaunches, {
      workflowId: RECOVERY_WORKFLOW_ID,
      taskQueue: TASK_QUEUES.finality,
      args: [{ pause: null }],
    });
    await enough;
    const open = temporal.client.workflow.getHandle(RECOVERY_WORKFLOW_ID);
    expect((await open.describe()).status.name).toBe('RUNNING');
    await open.terminate('the test is over');
    expect(await disturbed(RECOVERY_WORKFLOW_ID, [...crossed].slice(0, RUNS))).toHaveLength(RUNS);
    const rounds = recovered.steps.slice(0, 3 * Math.floor(recovered.steps.length / 3));
    expect(rounds.length).toBeGreaterThanOrEqual(3 * RUNS);
    expect(rounds).toEqual(
      Array.from({ length: rounds.length / 3 }, (_, search) => [
        `scan ${search}`,
        `resolve ${search}`,
        `commit ${search + 1}`,
      ]).flat(),
    );
    await recordHistory(
      'recover-launches',
      'continued',
      temporal.client.workflow.getHandle(RECOVERY_WORKFLOW_ID, handle.firstExecutionRunId),
    );
  });
});
