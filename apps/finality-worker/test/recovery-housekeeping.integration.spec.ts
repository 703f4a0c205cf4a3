import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { NativeConnection } from '@temporalio/worker';
import {
  OPERATOR_UPDATES,
  RECOVERY_WORKFLOW_ID,
  SEARCH_ATTRIBUTE_TYPES,
  TASK_QUEUES,
  type HousekeepingAnswer,
  type RecoveryBlock,
  type RecoveryResolveActivities,
  type RecoveryScanActivities,
} from '@launch/contracts/orchestration';
import { createLogger } from '@launch/platform';
import { connectTemporal, readHousekeeping, type TemporalClient } from '@launch/temporal';
import {
  connectWorkers,
  createServiceWorker,
  currentWorkflowBundle,
  installTemporalRuntime,
  type ServiceWorker,
} from '@launch/worker/scripted';
import { startTemporal, type TemporalServer } from '@launch/temporal-server';
import { keepHousekeeping, type HousekeepingKeeper } from '@launch/worker';
import { RECOVERY } from '../src/recovery/recovery.housekeeping.js';

/** Runs the recovery on a real Temporal server, across starts of its workers and commands of an operator. */
jest.setTimeout(180_000);
const FINALITY = path.resolve(import.meta.dirname, '../../../libs/workflows/src/finality.bundle.ts');
const ROUTER = `0x${'2'.repeat(40)}` as const;
const block = (number: number): RecoveryBlock => ({
  blockNumber: String(number),
  blockHash: `0x${number.toString(16).padStart(64, '0')}` as const,
});

/** Kept by the databases across releases. */
let checkpoint: RecoveryBlock | null = null;
let head = 7;
let searches = 0;
const activities: RecoveryScanActivities & RecoveryResolveActivities = {
  finalizedHead: async () => ({ head: block(head), reason: null }),
  async scanStamps({ router }) {
    searches += 1;
    const found = { router, observation: 'agreed' as const, reason: null, stamps: [], nextScanMs: 1_000 };
    return { ...found, before: checkpoint, through: block(head), head: block(head) };
  },
  async commitCheckpoint({ before, through }) {
    if (checkpoint?.blockHash === before?.blockHash) checkpoint = through;
  },
  recoveryTargets: async () => [{ router: ROUTER, fromBlock: '3' }],
  resolveStamps: async () => ({ woken: 0 }),
  recordRecovery: async () => undefined,
};

let server: TemporalServer;
let temporal: TemporalClient;
let connection: NativeConnection;
let workers: { worker: ServiceWorker; done: Promise<void> }[] = [];
const keepers: HousekeepingKeeper[] = [];

beforeAll(async () => {
  installTemporalRuntime({ trace() {}, debug() {}, info() {}, warn() {}, error() {} });
  server = await startTemporal({ searchAttributes: SEARCH_ATTRIBUTE_TYPES });
  const target = { address: server.address, namespace: server.namespace };
  [temporal, connection] = await Promise.all([connectTemporal(target), connectWorkers(target)]);
});
afterEach(() => Promise.all(keepers.splice(0).map((keeper) => keeper.stop())));
afterAll(async () => {
  await endWorkers();
  await temporal?.close();
  await connection?.close();
  await server?.stop();
});

async function beginWorkers(): Promise<void> {
  const workflowBundle = await currentWorkflowBundle(FINALITY);
  const common = { connection, namespace: server.namespace, activities };
  const started = await Promise.all([
    createServiceWorker({ ...common, service: 'finality', taskQueue: TASK_QUEUES.finality, workflowBundle }),
    createServiceWorker({ ...common, service: 'gateway', taskQueue: TASK_QUEUES.gateway }),
  ]);
  workers = started.map((worker) => ({ worker, done: worker.run() }));
}

async function endWorkers(): Promise<void> {
  await Promise.all(workers.splice(0).map(async ({ worker, done }) => (await worker.shutdown(), await done)));
}

/** Starts the recovery like a finality worker. */
function keep(client = temporal.client): HousekeepingKeeper {
  const logger = createLogger({ service: 'finality-worker', level: 'silent' });
  const keeper = keepHousekeeping(client, RECOVERY, logger);
  keepers.push(keeper);
  return keeper;
}

async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 60_000; Date.now() < end; await sleep(50)) if (await holds()) return;
  throw new Error(`waited in vain for ${what}`);
}
const recovery = () => temporal.client.workflow.getHandle(RECOVERY_WORKFLOW_ID);
const send = (update: string, reason: string) =>
  recovery().executeUpdate<HousekeepingAnswer, [string]>(update, { args: [reason] });
const state = () => readHousekeeping(temporal.client, RECOVERY_WORKFLOW_ID);
const searched = (number: number): Promise<void> =>
  until(`block ${number} to be searched`, () => Number(checkpoint?.blockNumber ?? 0) >= number);

describe('The recovery', () => {
  it('is started once by several workers, waits for stopped workers, and continues from its checkpoint', async () => {
    keep();
    keep();
    await until('its run', async () => (await state())?.status === 'RUNNING');
    expect(searches).toBe(0);
    await beginWorkers();
    await searched(7);
    await endWorkers();
    head = 9;
    await beginWorkers();
    await searched(9);
    expect((await state())?.status).toBe('RUNNING');
  });

  it('restarts after a terminated or cancelled run', async () => {
    keep();
    await recovery().terminate('for the test');
    head = 10;
    await searched(10);
    await recovery().cancel();
    head = 11;
    await searched(11);
  });

  it('stays paused across a start and a terminated run, runs on a manual trigger, and resumes', async () => {
    const first = keep();
    expect(first.pause()).toBeNull();
    await send(OPERATOR_UPDATES.pause, 'moving the observers');
    await until('the pause to be seen', () => first.pause()?.reason === 'moving the observers');
    await first.stop();
    await recovery().terminate('for the test');

    const second = keep();
    await until('a run', async () => (await state())?.status === 'RUNNING');
    await until('the pause to be seen', () => second.pause()?.reason === 'moving the observers');
    head = 12;
    const before = searches;
    await send(OPERATOR_UPDATES.trigger, 'one search');
    await searched(12);
    expect(searches).toBe(before + 1);

    await send(OPERATOR_UPDATES.resume, 'moved');
    head = 13;
    await searched(13);
    await until('the pause to be over', () => second.pause() === null);
  });
});

describe('A stop of the keeper', () => {
  it('settles after the running search, which needs the connection', async () => {
    let answer: (error: Error) => void = () => undefined;
    const asked = new Promise<never>((_, reject) => (answer = reject));
    const client = { withDeadline: () => asked } as unknown as TemporalClient['client'];
    const events: string[] = [];
    const stopped = keep(client)
      .stop()
      .then(() => events.push('stopped'));
    await new Promise((resolve) => setImmediate(resolve));
    events.push('answered');
    answer(new Error('no answer in time'));
    await stopped;
    expect(events).toEqual(['answered', 'stopped']);
  });
});
