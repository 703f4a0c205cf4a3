import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ETHEREUM_FEED_PATH, ethereumFinalizedListSchema } from '@launch/contracts/index';
import {
  ETHEREUM_FEED_WORKFLOW_ID,
  SEARCH_ATTRIBUTE_TYPES,
  TASK_QUEUES,
  WORKFLOW_TYPES,
} from '@launch/contracts/orchestration';
import { connectTemporal, type TemporalClient } from '@launch/temporal';
import { startTemporal, type TemporalServer } from '@launch/temporal-server';
import {
  armFailpoint,
  createTestDatabase,
  startServiceProcess,
  type ServiceProcess,
  type TestDatabase,
  newSigningKey,
} from '@launch/testing';
import {
  connectWorkers,
  createServiceWorker,
  currentWorkflowBundle,
  installTemporalRuntime,
  type ServiceWorker,
} from '@launch/worker/scripted';
import { publishedIndex, type PublishedIndex } from '../../../fixtures/published-index.fixture.js';
import { account, sourceDocument } from '../../../fixtures/published-rows.js';
import { call } from '../../../fixtures/http.client.js';

/** The gateway's own process over a real Temporal server and both databases; the test writes the index. */
jest.setTimeout(180_000);
const ROUTER = sourceDocument({ sourceVersion: 'ethereum-custom-v1', chainId: 1, address: account(0xe1) });

let folder: string;
let database: TestDatabase;
let index: PublishedIndex;
let temporal: TemporalServer;
let client: TemporalClient;
let worker: ServiceWorker;
let working: Promise<void>;
let gateway: ServiceProcess;
let env: Record<string, string>;
const closers: (() => Promise<unknown>)[] = [];

const start = async (more: Record<string, string> = {}): Promise<ServiceProcess> =>
  (gateway = await startServiceProcess({
    args: [path.resolve(import.meta.dirname, '../../../../dist/main.js')],
    env: { ...env, ...more },
  }));

beforeAll(async () => {
  const quiet = (): void => undefined;
  installTemporalRuntime({ trace: quiet, debug: quiet, info: quiet, warn: quiet, error: quiet });
  folder = await mkdtemp(path.join(tmpdir(), 'ethereum-feed-'));
  [database, index, temporal] = await Promise.all([
    createTestDatabase('api-gateway'),
    publishedIndex(),
    startTemporal({ searchAttributes: SEARCH_ATTRIBUTE_TYPES }),
  ]);
  const secret = async (name: string): Promise<string> => {
    const file = path.join(folder, name);
    await writeFile(file, randomBytes(32).toString('hex'), { mode: 0o600 });
    return file;
  };
  const publicKeys = path.join(folder, 'public-keys.pem');
  await writeFile(publicKeys, newSigningKey().publicKey);
  env = {
    DATABASE_URL: database.url,
    INDEX_DATABASE_URL: index.readerUrl,
    TEMPORAL_ADDRESS: temporal.address,
    BLOB_STORE: path.join(folder, 'blobs'),
    CREDENTIAL_PEPPER_FILE: await secret('pepper'),
    CURSOR_KEY_FILE: await secret('cursor'),
    ADMISSION_PUBLIC_KEY_FILE: publicKeys,
    FINALITY_PUBLIC_KEY_FILE: publicKeys,
    LOG_LEVEL: 'info',
  };
  const target = { address: temporal.address, namespace: temporal.namespace };
  client = await connectTemporal(target);
  const connection = await connectWorkers(target);
  closers.push(
    () => client.close(),
    () => connection.close(),
  );
  worker = await createServiceWorker({
    connection,
    namespace: temporal.namespace,
    service: 'played-indexer',
    taskQueue: TASK_QUEUES.indexer,
    workflowBundle: await currentWorkflowBundle(
      path.resolve(import.meta.dirname, '../../../../../../libs/workflows/src/indexer.bundle.ts'),
    ),
    activities: {},
  });
  working = worker.run();
  await index.source(ROUTER);
});
afterAll(async () => {
  await gateway?.stop();
  await worker?.shutdown();
  await working;
  for (const close of closers) await close();
  await Promise.all([database?.drop(), index?.close(), temporal?.stop()]);
  await rm(folder, { recursive: true, force: true });
});

let runs = 0;
const run = () =>
  client.client.workflow.start(WORKFLOW_TYPES.publishEthereum, {
    workflowId: `${ETHEREUM_FEED_WORKFLOW_ID}-${(runs += 1)}`,
    taskQueue: TASK_QUEUES.indexer,
    args: [],
  });
/** Starts the workflow, which never ends on its own, and ends it once its first reading is complete. */
async function oneRound(): Promise<void> {
  const handle = await run();
  for (;;) {
    const { events } = await handle.fetchHistory();
    if (events?.some(({ activityTaskCompletedEventAttributes: done }) => done != null)) break;
    await sleep(100);
  }
  await handle.terminate('its reading is complete');
}
const shown = async () => {
  const { json } = await call(`http://127.0.0.1:${gateway.ready.port}${ETHEREUM_FEED_PATH}?limit=25`);
  const { items, quality } = ethereumFinalizedListSchema.parse(json);
  return [quality.status, ...items.map(({ market }) => market.token)];
};

describe('The gateway process that publishes launches of Ethereum', () => {
  it.each([
    ['between the reading and its rows', 'gateway.feed-read', []],
    ['after the rows were committed', 'gateway.feed-commit', [0, 1, 2]],
  ])('loses and duplicates nothing when it is killed %s', async (_when, point, committed) => {
    const seeds = [0, 1, 2].map((at) => 10 * (runs + 1) + at);
    for (const seed of seeds) await index.launch(ROUTER, seed);
    const before = runs === 0 ? [] : (await shown()).slice(1);
    await gateway?.stop();
    const failpoints = path.join(folder, 'failpoints');
    await armFailpoint(failpoints, point);
    const doomed = await start({ LAUNCH_FAILPOINTS: failpoints });
    const lost = await run();
    expect((await doomed.exited).signal).toBe('SIGKILL');
    await lost.terminate('its gateway is gone');
    await start();
    const kept = committed.map((at) => account(seeds[at]!));
    expect((await shown()).slice(1)).toEqual([...before, ...kept]);
    await oneRound();
    await oneRound();
    expect(await shown()).toEqual(['ready', ...before, ...seeds.map(account)]);
  });
});
