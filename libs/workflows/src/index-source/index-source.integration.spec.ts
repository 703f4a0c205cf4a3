import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { NativeConnection } from '@temporalio/worker';
import {
  INDEX_REJECTION,
  INDEX_SIGNALS,
  INDEX_UPDATES,
  indexWorkflowId,
  SEARCH_ATTRIBUTE_TYPES,
  TASK_QUEUES,
  WORKFLOW_TYPES,
  type HeldPlace,
  type SourceBinding,
  type IndexerActivities,
  type IndexProgress,
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

/** Runs the index of sources on a real Temporal server with scripted rounds. */
jest.setTimeout(180_000);
const LONG_EVENTS = 60;
const EVENT = { blockHash: `0x${'1'.repeat(64)}`, transactionHash: `0x${'2'.repeat(64)}`, logIndex: 7 } as const;
const sourceOf = (digit: string): SourceBinding => ({
  chainId: 4663,
  address: `0x${'a'.repeat(40)}`,
  releaseDigest: `sha256:${digit.repeat(64)}`,
  sourceVersion: 'custom-router-v1',
});
const progress = (over: Partial<IndexProgress>): IndexProgress => ({
  state: 'following',
  reason: null,
  checkpoint: '50469400',
  launches: 3,
  quarantined: 1,
  ...over,
});

/** Rounds long enough for one run of the workflow to take all updates of a test. */
const UNHURRIED = sourceOf('4').releaseDigest;
/** The result of each round of a source; the last one repeats after a moment. */
const rounds = new Map<string, IndexProgress[]>();
const steps: string[] = [];
const activities: IndexerActivities = {
  async followSource({ releaseDigest }) {
    const answers = rounds.get(releaseDigest)!;
    if (answers.length > 1) return answers.shift()!;
    await delay(releaseDigest === UNHURRIED ? 2_000 : 50);
    return answers[0]!;
  },
  requestRescan: async ({ from }) => void steps.push(`rescan ${from}`),
  async rejudgeEvent({ event }) {
    steps.push(`rejudge ${event.logIndex}`);
    return { outcome: 'fail', reason: 'STAMP_MISMATCH', detail: 'stampProof' };
  },
  async dismissEvent({ reason }) {
    steps.push(`dismiss ${reason}`);
    return true;
  },
  holdPlace: async ({ place, reason }) => void held.set(JSON.stringify(place), reason),
  releasePlace: async ({ place }) => held.delete(JSON.stringify(place)),
};

const PLACE: HeldPlace = { blockNumber: '50469400', transactionHash: EVENT.transactionHash };
/** Held places with their reasons. */
const held = new Map<string, string>();

let server: TemporalServer;
let temporal: TemporalClient;
let workers: NativeConnection;
let running: { worker: ServiceWorker; done: Promise<void> };
beforeAll(async () => {
  installTemporalRuntime({ trace() {}, debug() {}, info() {}, warn() {}, error() {} });
  server = await startTemporal({
    searchAttributes: SEARCH_ATTRIBUTE_TYPES,
    dynamicConfig: { 'limit.historyCount.suggestContinueAsNew': LONG_EVENTS },
  });
  const target = { address: server.address, namespace: server.namespace };
  [temporal, workers] = await Promise.all([connectTemporal(target), connectWorkers(target)]);
  const worker = await createServiceWorker({
    connection: workers,
    namespace: target.namespace,
    service: 'index-source-tests',
    taskQueue: TASK_QUEUES.indexer,
    workflowBundle: await currentWorkflowBundle(path.resolve(import.meta.dirname, '../indexer.bundle.ts')),
    activities,
  });
  running = { worker, done: worker.run() };
});
afterAll(async () => {
  await running?.worker.shutdown();
  await running?.done;
  await temporal?.close();
  await workers?.close();
  await server?.stop();
});

const start = (source: SourceBinding, ...answers: IndexProgress[]) => {
  rounds.set(source.releaseDigest, answers);
  return temporal.client.workflow.start(WORKFLOW_TYPES.indexSource, {
    workflowId: indexWorkflowId(source),
    taskQueue: TASK_QUEUES.indexer,
    args: [source],
  });
};

describe('The workflow of a source on Temporal', () => {
  it('shows the state of its source, accepts an operator’s commands while it is stopped, and ends with its last block', async () => {
    const stopped = progress({ state: 'stopped', reason: 'CHECKPOINT_REPLACED: block 7' });
    const handle = await start(sourceOf('1'), progress({}), stopped, progress({ state: 'ended' }));
    const isStopped = async () => JSON.stringify((await handle.describe()).searchAttributes).includes('stopped');
    while (!(await isStopped())) await delay(20);
    const refused = handle.executeUpdate(INDEX_UPDATES.rejudge, { args: [{ ...EVENT, blockHash: '0x12' }] });
    await expect(refused).rejects.toMatchObject({ cause: { type: INDEX_REJECTION } });
    await handle.signal(INDEX_SIGNALS.rescan, 'latest');
    await expect(
      handle.executeUpdate(INDEX_UPDATES.dismiss, { args: [{ event: EVENT, reason: 'a forgery' }] }),
    ).resolves.toBe(true);
    await expect(handle.executeUpdate(INDEX_UPDATES.rejudge, { args: [EVENT] })).resolves.toMatchObject({
      outcome: 'fail',
      reason: 'STAMP_MISMATCH',
    });
    await expect(handle.result()).resolves.toBe('ended');
    expect(steps).toEqual(['dismiss a forgery', 'rejudge 7']);
    const { searchAttributes } = await handle.describe();
    expect(searchAttributes).toMatchObject({
      IndexChain: [4663],
      IndexSourceVersion: ['custom-router-v1'],
      IndexState: ['ended'],
    });
    await recordHistory('index-source', 'ended-after-commands', handle);
  });

  it('holds a block or a transaction once for repeated commands of an operator, and releases it', async () => {
    const source = sourceOf('4');
    const handle = await start(source, progress({}));
    const hold = (place: unknown, reason: unknown = 'a chain split') =>
      handle.executeUpdate(INDEX_UPDATES.hold, { args: [{ place, reason }] });
    const release = (place: unknown) => handle.executeUpdate(INDEX_UPDATES.release, { args: [place] });
    const block = { blockNumber: '50469401', transactionHash: null };

    const malformed = [
      hold(null),
      hold({ blockNumber: '007', transactionHash: null }),
      hold({ blockNumber: '9223372036854775808', transactionHash: null }),
      hold({ blockNumber: 50469400, transactionHash: null }),
      hold({ blockNumber: '50469400' }),
      hold({ ...PLACE, transactionHash: '0x12' }),
      hold(PLACE, ' '),
      hold(PLACE, 'x'.repeat(257)),
      release({ transactionHash: null }),
    ];
    for (const refused of malformed) await expect(refused).rejects.toMatchObject({ cause: { type: INDEX_REJECTION } });
    expect(held.size).toBe(0);

    for (const place of [PLACE, block, PLACE]) await expect(hold(place)).resolves.toBe(true);
    expect([...held]).toEqual([PLACE, block].map((place) => [JSON.stringify(place), 'a chain split']));
    await expect(hold(block, 'for another reason')).resolves.toBe(true);
    expect(held.get(JSON.stringify(block))).toBe('for another reason');

    await expect(release(PLACE)).resolves.toBe(true);
    // The most that one run takes before it continues in a new one.
    const first = temporal.client.workflow.getHandle(indexWorkflowId(source), handle.firstExecutionRunId);
    await recordHistory('index-source', 'open-with-holds', first);
    await expect(release(PLACE)).resolves.toBe(false);
    await expect(release(block)).resolves.toBe(true);
    rounds.set(source.releaseDigest, [progress({ state: 'ended' })]);
    await expect(handle.result()).resolves.toBe('ended');
  });

  it('continues in a new run when its history is long, and accepts a rescan in every run', async () => {
    const source = sourceOf('2');
    const handle = await start(source, progress({ state: 'backfilling' }), progress({}));
    const first = handle.firstExecutionRunId;
    const current = temporal.client.workflow.getHandle(indexWorkflowId(source));
    for (let run = first; run === first;) {
      await current.signal(INDEX_SIGNALS.rescan, '50469365');
      await delay(50);
      ({ runId: run } = await current.describe());
    }
    rounds.set(source.releaseDigest, [progress({ state: 'ended' })]);
    await expect(handle.result()).resolves.toBe('ended');
    expect(steps.filter((step) => step === 'rescan 50469365').length).toBeGreaterThan(0);
    await recordHistory(
      'index-source',
      'continued-with-rescans',
      temporal.client.workflow.getHandle(indexWorkflowId(source), first),
    );
  });

  it('stays open for an active source', async () => {
    const source = sourceOf('3');
    const waiting = progress({ state: 'waiting', reason: 'block 7: a and b disagree' });
    const handle = await start(source, progress({ state: 'starting', checkpoint: null }), waiting);
    const isWaiting = async () => JSON.stringify((await handle.describe()).searchAttributes).includes('waiting');
    while (!(await isWaiting())) await delay(20);
    await recordHistory('index-source', 'open-waiting', handle);
    await handle.terminate();
  });
});
