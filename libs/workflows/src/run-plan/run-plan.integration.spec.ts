import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { WorkflowHandleWithFirstExecutionRunId } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { NativeConnection } from '@temporalio/worker';
import {
  OPERATOR_QUERIES,
  OPERATOR_UPDATES,
  planWorkflowId,
  SEARCH_ATTRIBUTE_TYPES,
  SEARCH_ATTRIBUTES,
  STEP_PROOF_SIGNAL,
  TASK_QUEUES,
  WORKFLOW_TYPES,
  type ObservedStage,
  type RunPlanInput,
  type StepTimeline,
} from '@launch/contracts/orchestration';
import { connectTemporal, launchSearchAttributes, startOnce, type TemporalClient } from '@launch/temporal';
import {
  connectWorkers,
  createServiceWorker,
  currentWorkflowBundle,
  installTemporalRuntime,
  type ServiceWorker,
} from '@launch/worker/scripted';
import { startTemporal, type TemporalServer } from '@launch/temporal-server';
import { digest, word } from '../fixtures/observed.fixture.js';
import { recordHistory } from '../fixtures/recorded-histories.fixture.js';
import {
  admission,
  AGREED,
  finality,
  gateway,
  scripted,
  until,
  type Script,
} from './fixtures/scripted-plans.fixture.js';

/**
 * Runs plans on a real Temporal server with scripted activities. With RECORD_HISTORIES=1 it records the histories under
 * testdata/, which the replay test runs on later code.
 */
jest.setTimeout(180_000);
/** The server suggests a new run after so many events; one plan here has more. */
const LONG_EVENTS = 400;
const CONTROLLER = `0x${'4'.repeat(40)}` as const;

let server: TemporalServer;
let temporal: TemporalClient;
let workers: NativeConnection;
let running: { worker: ServiceWorker; done: Promise<void> }[] = [];

beforeAll(async () => {
  installTemporalRuntime({ trace() {}, debug() {}, info() {}, warn() {}, error() {} });
  // A server of its own: the task queues have the product's names.
  server = await startTemporal({
    searchAttributes: SEARCH_ATTRIBUTE_TYPES,
    dynamicConfig: { 'limit.historyCount.suggestContinueAsNew': LONG_EVENTS },
  });
  const target = { address: server.address, namespace: server.namespace };
  [temporal, workers] = await Promise.all([connectTemporal(target), connectWorkers(target)]);
  const workflowBundle = await currentWorkflowBundle(path.resolve(import.meta.dirname, '../finality.bundle.ts'));
  const common = { connection: workers, namespace: target.namespace, service: 'run-plan-tests' };
  const started = await Promise.all([
    createServiceWorker({ ...common, taskQueue: TASK_QUEUES.finality, workflowBundle, activities: finality }),
    createServiceWorker({ ...common, taskQueue: TASK_QUEUES.admission, activities: admission }),
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

const inputOf = (planId: string): RunPlanInput => ({
  planId,
  requestSha256: digest('1'),
  requestHash: word('2'),
  handoffSha256: digest('3'),
  controller: CONTROLLER,
  deadline: String(Math.floor(Date.now() / 1_000) + 3_600),
  proofs: [],
});

async function start(script: Script) {
  const planId = randomUUID();
  const { recorded, observations } = scripted(planId, script);
  const handle: WorkflowHandleWithFirstExecutionRunId = await temporal.client.workflow.start(WORKFLOW_TYPES.runPlan, {
    workflowId: planWorkflowId(planId),
    taskQueue: TASK_QUEUES.finality,
    args: [inputOf(planId)],
    typedSearchAttributes: launchSearchAttributes({
      launchId: planId,
      controller: CONTROLLER,
      stage: 'awaiting_wallet',
      family: 'plan.v1',
    }),
    memo: { planId },
  });
  return { planId, handle, recorded, observations };
}

const record = (name: string, handle: { fetchHistory(): Promise<unknown> }): Promise<void> =>
  recordHistory('run-plan', name, handle);

/** Returns the stages of a run, in order. */
async function stagesOf(handle: WorkflowHandleWithFirstExecutionRunId): Promise<unknown[]> {
  const { events = [] } = await handle.fetchHistory();
  return (events ?? []).flatMap(({ upsertWorkflowSearchAttributesEventAttributes: upserted }) => {
    const stage = upserted?.searchAttributes?.indexedFields?.[SEARCH_ATTRIBUTES.stage]?.data;
    return stage ? (JSON.parse(Buffer.from(stage).toString('utf8')) as unknown[]) : [];
  });
}

const FOUR = ['deploy-token', 'deploy-hook', 'deploy-seed', 'register'] as const;
const climbing: readonly ObservedStage[] = ['pending', 'included', 'posted', 'finalized'];

describe('The workflow of a plan on Temporal', () => {
  it('takes four steps to finality without a proof, and offers each after the inclusion of the one before', async () => {
    const { planId, handle, recorded } = await start({
      steps: FOUR,
      stageAt: (_stepId, times) => climbing[times] ?? 'finalized',
    });
    expect(await handle.result()).toBe('finalized');
    expect(recorded.at(-1)).toBe('finalized recorded');
    const place = (line: string): number => recorded.indexOf(line);
    FOUR.slice(1).forEach((stepId, index) => {
      expect(place(`${FOUR[index]} included`)).toBeLessThan(place(`${stepId} awaiting_signature`));
      expect(place(`${stepId} awaiting_signature`)).toBeLessThan(place(`${stepId} included`));
    });
    const { searchAttributes, memo } = await handle.describe();
    expect(searchAttributes).toMatchObject({
      [SEARCH_ATTRIBUTES.launchId]: [planId],
      [SEARCH_ATTRIBUTES.controller]: [CONTROLLER],
      [SEARCH_ATTRIBUTES.family]: ['plan.v1'],
      [SEARCH_ATTRIBUTES.stage]: ['finalized'],
    });
    expect(memo).toMatchObject({ stage: 'finalized' });
    await record('four-steps', handle);
  });

  it('takes an atomic plan to finality by its one step', async () => {
    const { handle, recorded } = await start({
      steps: ['atomic-launch'],
      stageAt: (_stepId, times) => climbing[times] ?? 'finalized',
    });
    expect(await handle.result()).toBe('finalized');
    expect(recorded).toEqual([
      'atomic-launch awaiting_signature',
      'atomic-launch included',
      'atomic-launch ethereum_posted',
      'atomic-launch finalized',
      'finalized recorded',
    ]);
    await record('atomic', handle);
  });

  it('withdraws waiting steps with one that a reorganisation removed, and offers them again', async () => {
    const deploy: readonly ObservedStage[] = ['included', 'included', 'submitted', 'submitted', 'included', 'included'];
    let observations = 0;
    const { handle, recorded } = await start({
      steps: ['deploy-token', 'register'],
      stageAt: (stepId, times) => {
        if (stepId === 'deploy-token') observations = times;
        if (observations >= deploy.length) return 'finalized';
        return stepId === 'deploy-token' ? deploy[observations]! : 'pending';
      },
    });
    expect(await handle.result()).toBe('finalized');
    expect(recorded).toEqual([
      'deploy-token included',
      'register awaiting_signature',
      'deploy-token awaiting_signature',
      'register blocked',
      'deploy-token included',
      'register awaiting_signature',
      'deploy-token finalized',
      'register finalized',
      'finalized recorded',
    ]);
    await record('reorganised', handle);
  });

  it('observes each step at its own time, and simulates the next one while it writes the last one', async () => {
    let isOver = false;
    const observed: string[] = [];
    const asked: string[] = [];
    const { handle, recorded } = await start({
      steps: ['deploy-token', 'deploy-hook', 'register'],
      stageAt: (stepId, times) => {
        observed.push(stepId);
        return isOver ? 'finalized' : times === 0 ? 'pending' : 'included';
      },
      simulate: (stepId) => {
        asked.push(stepId);
        return AGREED;
      },
      // A workflow that waits for the write before it observes again would wait forever.
      writes: (line) => until(() => line !== 'deploy-token included' || asked.includes('deploy-hook')),
      nextPollMs: (stepId) => (stepId === 'deploy-token' && observed.includes('deploy-hook') ? 3_600_000 : 100),
    });
    await until(() => recorded.includes('register included'));
    // One more observation after the inclusion, together with the hook's first.
    expect(observed.filter((stepId) => stepId === 'deploy-token').length).toBeLessThanOrEqual(3);
    isOver = true;
    await handle.executeUpdate(OPERATOR_UPDATES.recheck);
    expect(await handle.result()).toBe('finalized');
    await record('stepwise', handle);
  });

  it('accepts proofs, which only add a name, and lets an operator hold a step before its offer', async () => {
    let isReleased = false;
    const script: Script = {
      steps: ['deploy-token', 'register'],
      stageAt: (stepId, _times, { hints }) =>
        stepId === 'register'
          ? isReleased
            ? 'finalized'
            : 'pending'
          : hints.includes(word('7'))
            ? 'finalized'
            : 'pending',
      transactions: ({ hints }) =>
        hints.map((transactionHash) => ({
          transactionHash,
          source: 'hint',
          status: transactionHash === word('7') ? 'included' : 'not_this_step',
        })),
      nextPollMs: 3_600_000,
    };
    const { handle, recorded, observations } = await start(script);
    await until(() => recorded.includes('deploy-token awaiting_signature'));
    await handle.executeUpdate(OPERATOR_UPDATES.hold, { args: ['the price feed is being moved'] });
    await expect(handle.executeUpdate(OPERATOR_UPDATES.hold, { args: [null] })).rejects.toMatchObject({
      cause: { type: 'OPERATOR_ALREADY_HELD' },
    });
    expect((await handle.describe()).searchAttributes[SEARCH_ATTRIBUTES.stage]).toEqual(['held']);
    await handle.signal(STEP_PROOF_SIGNAL, { stepId: 'deploy-token', transactionHash: word('8') });
    await until(() => (observations.get('deploy-token') ?? 0) >= 2);
    await handle.signal(STEP_PROOF_SIGNAL, { stepId: 'deploy-token', transactionHash: word('7') });
    await until(() => recorded.includes('deploy-token finalized'));
    expect(recorded).not.toContain('register awaiting_signature');
    const again = observations.get('register') ?? 0;
    await handle.executeUpdate(OPERATOR_UPDATES.recheck);
    await until(() => (observations.get('register') ?? 0) > again);
    expect(recorded).not.toContain('register awaiting_signature');
    await handle.executeUpdate(OPERATOR_UPDATES.release);
    await until(() => recorded.includes('register awaiting_signature'));
    const timeline = await handle.query<StepTimeline>(OPERATOR_QUERIES.timeline);
    expect(timeline.steps.map(({ step }) => step)).toContain('simulateStep');
    isReleased = true;
    await handle.executeUpdate(OPERATOR_UPDATES.recheck);
    expect(await handle.result()).toBe('finalized');
    await record('proven-and-held', handle);
  });

  it('continues when an observation or a simulation fails, and shows which one until it succeeds', async () => {
    let isShown = false;
    let isMended = false;
    const { handle, recorded } = await start({
      steps: ['deploy-token', 'register'],
      stageAt: (stepId) => {
        if (stepId === 'register' && !isMended)
          throw ApplicationFailure.nonRetryable('FINALITY_STEP_FAILED: TypeError', 'FINALITY_STEP_FAILED');
        return isShown ? 'finalized' : 'included';
      },
      // The plan's own stage must come after the trouble.
      writes: (line) => until(() => line !== 'deploy-token included' || isShown),
      simulate: (stepId) => {
        if (stepId === 'register' && !isMended)
          throw ApplicationFailure.nonRetryable('ADMISSION_STEP_FAILED: TypeError', 'ADMISSION_STEP_FAILED');
        return AGREED;
      },
    });
    await until(async () => String((await handle.describe()).memo?.['trouble']).includes('register'));
    isShown = true;
    // The other step is still observed to its end.
    await until(() => recorded.includes('deploy-token finalized'));
    expect((await handle.describe()).searchAttributes[SEARCH_ATTRIBUTES.stage]).toEqual(['troubled']);
    isMended = true;
    await handle.executeUpdate(OPERATOR_UPDATES.recheck);
    expect(await handle.result()).toBe('finalized');
    expect((await handle.describe()).memo?.['trouble']).toBe('');
    const stages = await stagesOf(handle);
    expect(stages.slice(0, stages.lastIndexOf('troubled') + 1)).toEqual(expect.not.arrayContaining(['in_progress']));
    expect(stages.at(-1)).toBe('finalized');
    await record('troubled', handle);
  });

  it('drops the trouble of a failed simulation once its step is found on chain', async () => {
    let known: ObservedStage = 'pending';
    const { handle, recorded } = await start({
      steps: ['deploy-token', 'register'],
      stageAt: (stepId) => (stepId === 'deploy-token' || known === 'finalized' ? known : 'pending'),
      simulate: (stepId) => {
        if (stepId === 'deploy-token')
          throw ApplicationFailure.nonRetryable('ADMISSION_STEP_FAILED: TypeError', 'ADMISSION_STEP_FAILED');
        return AGREED;
      },
    });
    const trouble = async (): Promise<unknown> => (await handle.describe()).memo?.['trouble'];
    await until(async () => String(await trouble()).includes('simulateStep deploy-token'));
    known = 'included';
    await until(() => recorded.includes('register awaiting_signature'));
    await until(async () => (await trouble()) === '');
    expect((await handle.describe()).searchAttributes[SEARCH_ATTRIBUTES.stage]).toEqual(['in_progress']);
    known = 'finalized';
    expect(await handle.result()).toBe('finalized');
    await record('past-trouble', handle);
  });

  it.each([
    ['expired', 'expired', 'expired'],
    ['reverted_finalized', 'failed', 'failed'],
  ] as const)(
    'ends with a step that is %s as %s, once the steps before it are finalized',
    async (stage, outcome, end) => {
      const { handle, recorded } = await start({
        steps: ['deploy-token', 'deploy-hook', 'register'],
        stageAt: (stepId, times) => (stepId === 'deploy-token' ? (climbing[times] ?? 'finalized') : stage),
      });
      expect(await handle.result()).toBe(outcome);
      expect(recorded.slice(-2)).toEqual(['deploy-token finalized', end]);
      expect(recorded).toContain('register expired');
      await record(outcome, handle);
    },
  );

  it('continues in a new run with its state, and cannot be started twice or after its end', async () => {
    const components = Array.from({ length: 16 }, (_, ordinal) => `deploy-c${ordinal}`);
    const { planId, handle, recorded } = await start({
      steps: [...components, 'register'],
      stageAt: (_stepId, times) => (times < 10 ? 'included' : 'finalized'),
    });
    const startAgain = () =>
      startOnce(temporal.client, {
        workflowType: WORKFLOW_TYPES.runPlan,
        workflowId: planWorkflowId(planId),
        taskQueue: TASK_QUEUES.finality,
        args: [inputOf(planId)],
      });
    expect(await startAgain()).toBe('already-started');
    expect(await handle.result()).toBe('finalized');
    expect(await startAgain()).toBe('already-started');
    expect((await handle.describe()).runId).not.toBe(handle.firstExecutionRunId);
    expect(recorded.filter((line) => line === 'finalized recorded')).toHaveLength(1);
    await record('continued', temporal.client.workflow.getHandle(planWorkflowId(planId), handle.firstExecutionRunId));
    await record('resumed', handle);
  });
});
