import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { NativeConnection } from '@temporalio/worker';
import {
  RECOVERY_SCHEDULE_ID,
  RECOVERY_WORKFLOW_ID,
  SEARCH_ATTRIBUTE_TYPES,
  TASK_QUEUES,
  WORKFLOW_TYPES,
  type RecoveryBlock,
  type RecoveryResolveActivities,
  type RecoveryScanActivities,
} from '@launch/contracts/orchestration';
import { createLogger } from '@launch/platform';
import { connectTemporal, promoteVersion, readSchedule, type TemporalClient } from '@launch/temporal';
import {
  connectWorkers,
  createServiceWorker,
  currentWorkflowBundle,
  installTemporalRuntime,
  type ServiceWorker,
} from '@launch/worker/scripted';
import { startTemporal, type TemporalServer } from '@launch/temporal-server';
import { FORMER_RUN_ENDED, keepRecovery, type RecoveryKeeper } from '../src/recovery/recovery.keeper.js';

/** The schedule of the recovery on a real Temporal server, across a release and under an operator's hands. */
jest.setTimeout(180_000);
const WORKFLOWS = path.resolve(import.meta.dirname, '../../../libs/workflows/src');
const ROUTER = `0x${'2'.repeat(40)}` as const;
const block = (number: number): RecoveryBlock => ({
  blockNumber: String(number),
  blockHash: `0x${number.toString(16).padStart(64, '0')}` as const,
});

/** What the databases keep, whichever release searches. */
let checkpoint: RecoveryBlock | null = null;
let head = 7;
let searches = 0;
const activities: RecoveryScanActivities & RecoveryResolveActivities = {
  finalizedHead: async () => ({ head: block(head), reason: null }),
  async scanStamps({ router }) {
    searches += 1;
    const found = { router, observation: 'agreed' as const, reason: null, stamps: [], nextScanMs: 15_000 };
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
const keepers: RecoveryKeeper[] = [];

beforeAll(async () => {
  installTemporalRuntime({ trace() {}, debug() {}, info() {}, warn() {}, error() {} });
  server = await startTemporal({ searchAttributes: SEARCH_ATTRIBUTE_TYPES });
  const target = { address: server.address, namespace: server.namespace };
  [temporal, connection] = await Promise.all([connectTemporal(target), connectWorkers(target)]);
});
afterEach(() => Promise.all(keepers.splice(0).map((keeper) => keeper.stop())));
afterAll(async () => {
  await endRelease();
  await temporal?.close();
  await connection?.close();
  await server?.stop();
});

/** The workers of a release: its workflow code, and the steps. */
async function beginRelease(entry: string): Promise<void> {
  const workflowBundle = await currentWorkflowBundle(path.join(WORKFLOWS, entry));
  const common = { connection, namespace: server.namespace, activities };
  const versioning = { mode: 'auto-upgrade', deployment: 'finality-worker' } as const;
  const started = await Promise.all([
    createServiceWorker({
      ...common,
      service: 'finality',
      taskQueue: TASK_QUEUES.finality,
      workflowBundle,
      versioning,
    }),
    createServiceWorker({ ...common, service: 'gateway', taskQueue: TASK_QUEUES.gateway }),
  ]);
  workers = started.map((worker) => ({ worker, done: worker.run() }));
  await promoteVersion(
    temporal.client,
    { deployment: 'finality-worker', buildId: workflowBundle.buildId },
    { taskQueue: TASK_QUEUES.finality, withinMs: 60_000 },
  );
}

async function endRelease(): Promise<void> {
  await Promise.all(workers.splice(0).map(async ({ worker, done }) => (await worker.shutdown(), await done)));
}

/** A finality worker's start, as far as the recovery goes. */
function keep(): RecoveryKeeper {
  const logger = createLogger({ service: 'finality-worker', level: 'silent' });
  const keeper = keepRecovery(temporal.client, { everyMs: 1_000, logger });
  keepers.push(keeper);
  return keeper;
}

async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 60_000; Date.now() < end; await sleep(50)) if (await holds()) return;
  throw new Error(`waited in vain for ${what}`);
}
const schedule = () => temporal.client.schedule.getHandle(RECOVERY_SCHEDULE_ID);
const searched = (number: number): Promise<void> =>
  until(`block ${number} to be searched`, () => Number(checkpoint?.blockNumber ?? 0) >= number);
const settled = async (): Promise<void> => {
  await until('no run', async () => (await schedule().describe()).info.runningActions.length === 0);
};

describe('the recovery of an earlier release', () => {
  it('is ended at the start of this one, whose schedule searches on from its checkpoint', async () => {
    await beginRelease('fixtures/former-recovery.bundle.ts');
    const former = await temporal.client.workflow.start(WORKFLOW_TYPES.recoverLaunches, {
      workflowId: RECOVERY_WORKFLOW_ID,
      taskQueue: TASK_QUEUES.finality,
      args: [],
    });
    await searched(7);
    await endRelease();
    expect((await former.describe()).status.name).toBe('RUNNING');

    await beginRelease('finality.bundle.ts');
    keep();
    await until('its end', async () => (await former.describe()).status.name === 'TERMINATED');
    const end = (await former.fetchHistory()).events?.at(-1)?.workflowExecutionTerminatedEventAttributes;
    expect(end?.reason).toBe(FORMER_RUN_ENDED);
    head = 9;
    await searched(9);
    const [run] = (await schedule().describe()).info.recentActions;
    const { workflowId } = run?.action.workflow ?? { workflowId: '' };
    expect(workflowId).toMatch(/^recovery\/finality-20/);
    expect(await temporal.client.workflow.getHandle(workflowId).result()).toBeUndefined();
  });

  it('is no second one where a worker of that release begins it again', async () => {
    keep();
    const again = await temporal.client.workflow.start(WORKFLOW_TYPES.recoverLaunches, {
      workflowId: RECOVERY_WORKFLOW_ID,
      taskQueue: TASK_QUEUES.finality,
      args: [],
    });
    await until('its end', async () => (await again.describe()).status.name !== 'RUNNING');
  });
});

describe('an operator', () => {
  it('pauses the recovery: it stays paused across a start, with the note, is triggered by hand, and goes on', async () => {
    const first = keep();
    await searched(9);
    expect(first.isPaused()).toBe(false);
    await schedule().pause('moving the observers');
    await until('the pause to be seen', () => first.isPaused());
    await first.stop();

    const second = keep();
    await until('the pause to be seen', () => second.isPaused());
    expect(await readSchedule(temporal.client, RECOVERY_SCHEDULE_ID)).toEqual({
      isPaused: true,
      note: 'moving the observers',
    });
    await settled();
    head = 11;
    const [before, taken] = [searches, (await schedule().describe()).info.numActionsTaken];
    await schedule().trigger();
    await searched(11);
    expect(searches).toBe(before + 1);
    expect((await schedule().describe()).info.numActionsTaken).toBe(taken + 1);

    await schedule().unpause('moved');
    head = 12;
    await searched(12);
    await until('the pause to be over', () => !second.isPaused());
  });

  it('deletes the schedule: it is made again', async () => {
    keep();
    await searched(12);
    await schedule().delete();
    await until('a new one', async () => (await readSchedule(temporal.client, RECOVERY_SCHEDULE_ID)) !== null);
    head = 13;
    await searched(13);
  });
});
