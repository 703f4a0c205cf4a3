import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { WithStartWorkflowOperation, type WorkflowHandle } from '@temporalio/client';
import type { NativeConnection } from '@temporalio/worker';
import { defineUpdate } from '@temporalio/workflow';
import {
  HOUSEKEEPING_DIVISION,
  OPERATOR_REJECTIONS,
  OPERATOR_UPDATES,
  PAUSE_MEMO,
  TASK_QUEUES,
  WORKFLOW_TYPES,
  type EthereumFeedReading,
  type HousekeepingAnswer,
} from '@launch/contracts/orchestration';
import {
  connectTemporal,
  readHousekeeping,
  startHousekeeping,
  type HousekeepingWorkflow,
  type TemporalClient,
} from '@launch/temporal';
import {
  connectWorkers,
  createServiceWorker,
  currentWorkflowBundle,
  installTemporalRuntime,
  type ServiceWorker,
} from '@launch/worker/scripted';
import { startTemporal, type TemporalServer } from '@launch/temporal-server';

/** Runs housekeeping on a real Temporal server that suggests a new run after a few rounds, with a scripted step. */
jest.setTimeout(180_000);
const LONG_EVENTS = 60;
const { pause, resume, trigger } = OPERATOR_UPDATES;

let server: TemporalServer;
let temporal: TemporalClient;
let connection: NativeConnection;
let running: { worker: ServiceWorker; done: Promise<void> }[] = [];
let rounds = 0;
let atOnce = 0;
let most = 0;
/** The end of a round: the index has more rows, has no more, or is unavailable. */
let ending: 'more' | 'done' | 'away' = 'done';
let names = 0;
let work: HousekeepingWorkflow;

beforeAll(async () => {
  installTemporalRuntime({ trace() {}, debug() {}, info() {}, warn() {}, error() {} });
  server = await startTemporal({ dynamicConfig: { 'limit.historyCount.suggestContinueAsNew': LONG_EVENTS } });
  const target = { address: server.address, namespace: server.namespace };
  [temporal, connection] = await Promise.all([connectTemporal(target), connectWorkers(target)]);
  const workflowBundle = await currentWorkflowBundle(path.resolve(import.meta.dirname, '../indexer.bundle.ts'));
  const common = { connection, namespace: target.namespace, service: 'housekeeping-tests' };
  const activities = {
    async publishEthereumLaunches(): Promise<EthereumFeedReading> {
      most = Math.max(most, ++atOnce);
      await sleep(5);
      atOnce -= 1;
      rounds += 1;
      if (ending === 'away') throw new Error('the index is away');
      return { published: 0, held: 0, more: ending === 'more' };
    },
  };
  const started = await Promise.all([
    createServiceWorker({ ...common, taskQueue: TASK_QUEUES.indexer, workflowBundle, activities: {} }),
    createServiceWorker({ ...common, taskQueue: TASK_QUEUES.gateway, activities }),
  ]);
  running = started.map((worker) => ({ worker, done: worker.run() }));
});
beforeEach(() => {
  [rounds, most, ending] = [0, 0, 'done'];
  work = {
    workflowType: WORKFLOW_TYPES.publishEthereum,
    workflowId: `housekeeping/${names++}`,
    taskQueue: TASK_QUEUES.indexer,
    summary: 'Publishes',
    details: 'Again and again.',
  };
});
afterEach(() => handle().terminate('the test is over'));
afterAll(async () => {
  await Promise.all(running.map(async ({ worker, done }) => (await worker.shutdown(), await done)));
  await temporal?.close();
  await connection?.close();
  await server?.stop();
});

const handle = (): WorkflowHandle => temporal.client.workflow.getHandle(work.workflowId);
const start = () => startHousekeeping(temporal.client, work);
const state = () => readHousekeeping(temporal.client, work.workflowId);
const send = (update: string, reason: unknown): Promise<HousekeepingAnswer> =>
  handle().executeUpdate(defineUpdate<HousekeepingAnswer, [unknown]>(update), { args: [reason] });
const rejected = (code: string) => ({ cause: { type: code, nonRetryable: true } });
async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 60_000; Date.now() < end; await sleep(20)) if (await holds()) return;
  throw new Error(`waited in vain for ${what}`);
}
async function listed(query?: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const { workflowId } of temporal.client.workflow.list(query === undefined ? {} : { query }))
    ids.push(workflowId);
  return ids;
}

describe('housekeeping', () => {
  it('runs once for all its starters, and stays out of lists that do not name its division', async () => {
    await Promise.all(Array.from({ length: 8 }, start));
    await until('a round', () => rounds === 1);
    expect(await start()).toEqual({ status: 'RUNNING', pause: null });
    const division = `TemporalNamespaceDivision = '${HOUSEKEEPING_DIVISION}'`;
    await until('it to be listed', async () => (await listed(division)).includes(work.workflowId));
    expect(await listed()).toEqual([]);
  });

  it('continues in new runs without two rounds at once, and stays out of the list in each', async () => {
    ending = 'more';
    await start();
    const { runId } = await handle().describe();
    await until('three runs', async () => rounds > (3 * LONG_EVENTS) / 6);
    const last = await handle().describe();
    expect(last.runId).not.toBe(runId);
    expect(last.historyLength).toBeLessThan(2 * LONG_EVENTS);
    expect(most).toBe(1);
    expect(await listed()).toEqual([]);
  });

  it('pauses with a reason, does one round when triggered, and continues when resumed', async () => {
    await start();
    await until('a round', () => rounds === 1);
    expect(await send(pause, 'the database is being moved')).toEqual({ paused: true });
    await until('the pause', async () => (await state())?.pause?.reason === 'the database is being moved');
    expect(await send(trigger, 'one look')).toEqual({ paused: true });
    await until('the round', () => rounds === 2);
    expect((await state())?.pause).not.toBeNull();
    expect(await send(resume, 'moved')).toEqual({ paused: false });
    await until('a round', () => rounds === 3);
    await until('no pause', async () => (await state())?.pause === null);
  });

  it('rejects an update that it cannot execute before the history records it', async () => {
    await start();
    await until('a round', () => rounds === 1);
    for (const update of [pause, resume, trigger])
      for (const reason of [undefined, '', '  ', 7, 'x'.repeat(201)])
        await expect(send(update, reason)).rejects.toMatchObject(rejected(OPERATOR_REJECTIONS.input));
    await expect(send(resume, 'why not')).rejects.toMatchObject(rejected(OPERATOR_REJECTIONS.notPaused));
    await send(pause, 'once');
    await expect(send(pause, 'twice')).rejects.toMatchObject(rejected(OPERATOR_REJECTIONS.alreadyPaused));
    const { events } = await handle().fetchHistory();
    expect(events?.filter((event) => event.workflowExecutionUpdateAcceptedEventAttributes)).toHaveLength(1);
  });

  it('shows a failed round and does its work in the next one', async () => {
    ending = 'away';
    await start();
    await until('the trouble', async () => String((await handle().describe()).memo?.['trouble']).startsWith('round: '));
    ending = 'done';
    const before = rounds;
    await send(trigger, 'the index is back');
    await until('a round', () => rounds > before);
    await until('no trouble', async () => (await handle().describe()).memo?.['trouble'] === '');
  });

  it('stays paused across a new run and across a terminated run until it is resumed', async () => {
    ending = 'more';
    await start();
    await until('some rounds', () => rounds > 2);
    await send(pause, 'for the night');
    await until('the pause', async () => (await state())?.pause !== null);
    const { pause: first } = (await state()) ?? {};
    await handle().terminate('by mistake');
    const before = rounds;
    expect(await start()).toEqual({ status: 'TERMINATED', pause: first });
    expect(await state()).toEqual({ status: 'RUNNING', pause: first });
    // Triggered rounds fill the history; the following run is paused too.
    const { runId } = await handle().describe();
    ending = 'done';
    for (let asked = 1; (await handle().describe()).runId === runId; asked += 1) {
      await send(trigger, 'a round').catch(() => undefined);
      await until('the round', () => rounds >= before + Math.min(asked, 3));
    }
    expect((await state())?.pause).toEqual(first);
    await send(resume, 'the night is over');
    ending = 'more';
    await send(trigger, 'go').catch(() => undefined);
    const paused = (await handle().describe()).runId;
    await until('another run', async () => (await handle().describe()).runId !== paused);
    expect((await state())?.pause).toBeNull();
  });

  it('continues when it is resumed in the first task of a paused run', async () => {
    const pausedBefore = { reason: 'for the night', since: '2026-11-27T00:00:00.000Z' };
    const operation = new WithStartWorkflowOperation(work.workflowType, {
      workflowId: work.workflowId,
      taskQueue: work.taskQueue,
      args: [{ pause: pausedBefore }],
      memo: { [PAUSE_MEMO]: pausedBefore },
      workflowIdConflictPolicy: 'FAIL',
    });
    const answer = await temporal.client.workflow.executeUpdateWithStart(
      defineUpdate<HousekeepingAnswer, [unknown]>(resume),
      { startWorkflowOperation: operation, args: ['the night is over'] },
    );
    expect(answer).toEqual({ paused: false });
    await until('a round', () => rounds === 1);
    await until('no pause', async () => (await state())?.pause === null);
  });
});
