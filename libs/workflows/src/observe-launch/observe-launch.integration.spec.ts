import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import type { NativeConnection } from '@temporalio/worker';
import {
  observeWorkflowId,
  SEARCH_ATTRIBUTE_TYPES,
  SEARCH_ATTRIBUTES,
  TASK_QUEUES,
  TRANSACTION_HINT_SIGNAL,
  WORKFLOW_TYPES,
  type ObservedStage,
  type ObserveLaunchInput,
  type ObservePollInput,
  type ObservePollResult,
} from '@launch/contracts/orchestration';
import type { LaunchFamily } from '@launch/contracts/states';
import { connectTemporal, launchSearchAttributes, type TemporalClient } from '@launch/temporal';
import {
  connectWorkers,
  createServiceWorker,
  currentWorkflowBundle,
  installTemporalRuntime,
  type ServiceWorker,
} from '@launch/worker/scripted';
import { startTemporal, type TemporalServer } from '@launch/temporal-server';
import { digest, seen, word } from '../fixtures/observed.fixture.js';
import { recordHistory } from '../fixtures/recorded-histories.fixture.js';

/**
 * Runs the workflow on a real Temporal server with scripted activities. With RECORD_HISTORIES=1 it records the
 * histories under testdata/, which the replay test runs on later code.
 */
jest.setTimeout(180_000);
type Script = (input: ObservePollInput, poll: number) => ObservePollResult;
const scripts = new Map<string, { script: Script; polls: number; gateway: string[] }>();
const of = (launchId: string) =>
  scripts.get(launchId) ??
  (() => {
    throw new Error(`no script for ${launchId}`);
  })();
const note =
  (step: string) =>
  async ({ launchId }: { launchId: string }): Promise<void> =>
    void of(launchId).gateway.push(step);

let server: TemporalServer;
let temporal: TemporalClient;
let workers: NativeConnection;
let running: { worker: ServiceWorker; done: Promise<void> }[] = [];

beforeAll(async () => {
  installTemporalRuntime({ trace() {}, debug() {}, info() {}, warn() {}, error() {} });
  // A server of its own: the task queues have the product's names.
  server = await startTemporal({ searchAttributes: SEARCH_ATTRIBUTE_TYPES });
  const target = { address: server.address, namespace: server.namespace };
  [temporal, workers] = await Promise.all([connectTemporal(target), connectWorkers(target)]);
  const workflowBundle = await currentWorkflowBundle(path.resolve(import.meta.dirname, '../finality.bundle.ts'));
  const common = { connection: workers, namespace: target.namespace, service: 'observe-launch-tests' };
  const started = await Promise.all([
    createServiceWorker({
      ...common,
      taskQueue: TASK_QUEUES.finality,
      workflowBundle,
      activities: {
        observe: async (input: ObservePollInput) => {
          const launch = of(input.launchId);
          return launch.script(input, launch.polls++);
        },
        buildFinalizedRecord: async () => ({ recordSha256: digest('f') }),
      },
    }),
    createServiceWorker({
      ...common,
      taskQueue: TASK_QUEUES.gateway,
      activities: {
        recordAwaitingSignature: note('awaiting'),
        recordSubmitted: note('submitted'),
        recordWalletState: note('wallet'),
        recordFinality: note('finality'),
        recordFinalized: note('finalized'),
        recordFailed: note('failed'),
        recordExpired: note('expired'),
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

async function start(script: Script, family?: LaunchFamily) {
  const launchId = randomUUID();
  const controller = `0x${'4'.repeat(40)}`;
  scripts.set(launchId, { script, polls: 0, gateway: [] });
  const input: ObserveLaunchInput = {
    launchId,
    ...(family === undefined ? {} : { family }),
    requestSha256: digest('1'),
    requestHash: word('2'),
    handoffSha256: digest('3'),
    controller,
    hints: [],
  };
  const handle = await temporal.client.workflow.start(WORKFLOW_TYPES.observeLaunch, {
    workflowId: observeWorkflowId(launchId),
    taskQueue: TASK_QUEUES.finality,
    args: [input],
    typedSearchAttributes: launchSearchAttributes({ launchId, controller, stage: 'pending' }),
    memo: { launchId, controller, stage: 'pending' },
  });
  return { launchId, handle, gateway: of(launchId).gateway };
}

const record = (name: string, handle: Awaited<ReturnType<typeof start>>['handle']): Promise<void> =>
  recordHistory('observe-launch', name, handle);

describe('The observation of a launch on Temporal', () => {
  it('moves forward, back and forward again, and shows its stage to an operator', async () => {
    const stages: ObservedStage[] = ['pending', 'submitted', 'included', 'posted', 'included', 'posted', 'finalized'];
    const { handle, gateway, launchId } = await start((_input, poll) => seen(stages[poll] ?? 'finalized', poll));
    expect(await handle.result()).toBe('finalized');
    expect(gateway).toEqual([
      'awaiting',
      'finality',
      'submitted',
      'finality',
      'finality',
      'finality',
      'finality',
      'finality',
      'finalized',
    ]);
    const description = await handle.describe();
    expect(description.searchAttributes[SEARCH_ATTRIBUTES.stage]).toEqual(['finalized']);
    expect(description.searchAttributes[SEARCH_ATTRIBUTES.launchId]).toEqual([launchId]);
    expect(description.memo).toMatchObject({ stage: 'finalized' });
    await record('reorg-then-finalized', handle);
  });

  it('wakes immediately for a signalled hint and passes it on', async () => {
    const { handle } = await start(({ hints }, poll) =>
      hints.includes(word('7')) ? seen('finalized', poll) : seen('pending', poll, 3_600_000),
    );
    await handle.signal(TRANSACTION_HINT_SIGNAL, word('7'));
    expect(await handle.result()).toBe('finalized');
    await record('hinted', handle);
  });

  it('continues with growing pauses while an observation fails, and shows the step and the reason to an operator', async () => {
    const { handle, gateway } = await start((_input, poll) => {
      if (poll === 1 || poll === 2)
        throw ApplicationFailure.nonRetryable('FINALITY_STEP_FAILED: TypeError', 'FINALITY_STEP_FAILED');
      return seen(poll === 0 ? 'included' : 'finalized', poll);
    });
    const troubled = async (): Promise<boolean> =>
      ((await handle.describe()).memo?.['trouble'] ?? '') === 'observe: FINALITY_STEP_FAILED, 2 times';
    for (const until = Date.now() + 60_000; !(await troubled()) && Date.now() < until;)
      await new Promise((resolve) => setTimeout(resolve, 100));
    const { searchAttributes, status } = await handle.describe();
    expect([status.name, searchAttributes[SEARCH_ATTRIBUTES.stage]]).toEqual(['RUNNING', ['troubled']]);
    expect(await handle.result()).toBe('finalized');
    const { memo, searchAttributes: after } = await handle.describe();
    expect([memo?.['trouble'], after[SEARCH_ATTRIBUTES.stage]]).toEqual(['', ['finalized']]);
    expect(gateway.at(-1)).toBe('finalized');
    await record('troubled', handle);
  });

  it.each([
    ['expired', 'expired'],
    ['reverted_finalized', 'failed'],
  ] as const)('ends at %s as %s', async (stage, outcome) => {
    const { handle, gateway } = await start((_input, poll) => seen(poll === 0 ? 'pending' : stage, poll));
    expect(await handle.result()).toBe(outcome);
    expect(gateway.at(-1)).toBe(outcome);
    await record(outcome, handle);
  });

  it('takes a custom launch from a wallet that cannot pay to its record, across a reorganisation', async () => {
    const stages: ObservedStage[] = ['pending', 'pending', 'included', 'posted', 'included', 'finalized'];
    const { handle, gateway } = await start((_input, poll) => {
      const stage = stages[poll] ?? 'finalized';
      const result = seen(stage, poll + 1);
      const reason = poll === 0 ? ('CONTROLLER_FUNDS_MISSING' as const) : null;
      return stage === 'pending' ? { ...result, wallet: { reason } } : result;
    }, 'custom-launch.v4');
    expect(await handle.result()).toBe('finalized');
    expect(gateway).toEqual([
      'awaiting',
      'wallet',
      'finality',
      'wallet',
      'submitted',
      'finality',
      'finality',
      'finality',
      'finalized',
    ]);
    await record('custom-launch-wallet-reorg-finalized', handle);
  });

  it.each([
    ['expired', 'expired'],
    ['reverted_finalized', 'failed'],
  ] as const)('ends a custom launch at %s as %s', async (stage, outcome) => {
    const { handle, gateway } = await start(
      (_input, poll) => seen(poll === 0 ? 'pending' : stage, poll + 1),
      'custom-launch.v4',
    );
    expect(await handle.result()).toBe(outcome);
    expect(gateway.at(-1)).toBe(outcome);
    await record(`custom-launch-${outcome}`, handle);
  });
});
