import path from 'node:path';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import type { NativeConnection } from '@temporalio/worker';
import { TASK_QUEUES } from '@launch/contracts/orchestration';
import { connectTemporal, type TemporalClient } from '@launch/temporal';
import { startTemporal, type TemporalServer } from '@launch/temporal-server';
import {
  connectWorkers,
  createServiceWorker,
  currentWorkflowBundle,
  installTemporalRuntime,
} from '@launch/worker/scripted';
import { readCommand } from './admin.command.js';
import { RELEASED_WORKERS } from './released-workers.js';
import { runWorkerCommand } from './workers.run.js';

/** The product's deployments on a separate server, where only the indexer has a worker. */
jest.setTimeout(180_000);

let server: TemporalServer;
let temporal: TemporalClient;
let connection: NativeConnection;
let release: string;
let stop: () => Promise<void> = async () => undefined;

beforeAll(async () => {
  installTemporalRuntime({ trace() {}, debug() {}, info() {}, warn() {}, error() {} });
  server = await startTemporal();
  [temporal, connection] = await Promise.all([connectTemporal(server), connectWorkers(server)]);
  const entry = path.resolve(import.meta.dirname, '../../../../../libs/workflows/src/indexer.bundle.ts');
  const workflowBundle = await currentWorkflowBundle(entry);
  release = workflowBundle.buildId;
  const worker = await createServiceWorker({
    connection,
    namespace: server.namespace,
    taskQueue: TASK_QUEUES.indexer,
    service: 'indexer',
    workflowBundle,
    activities: { nothing: async () => undefined },
    versioning: { mode: 'auto-upgrade', deployment: 'indexer' },
  });
  const running = worker.run();
  stop = async () => {
    await worker.shutdown();
    await running;
  };
});
afterAll(async () => {
  await stop();
  await temporal?.close();
  await connection?.close();
  await server?.stop();
});

async function admin(line: string): Promise<string> {
  const command = readCommand(line.split(' '));
  if (command.name !== 'list-workers' && command.name !== 'promote-workers') throw new TypeError(command.name);
  return (await runWorkerCommand({ launches: temporal.client, modules: temporal.client }, command)).output;
}
const only = '--deployment indexer';

it('launch-admin reads the build id of every deployment from its built bundle.', async () => {
  for (const { buildId } of Object.values(RELEASED_WORKERS)) expect(await buildId()).toMatch(/^[0-9a-f]{16}$/);
  expect(await RELEASED_WORKERS.indexer.buildId()).toBe(release);
});

it('launch-admin promotes nothing while a deployment of the release has no worker, and names each one.', async () => {
  const refused = admin('workers promote --wait 5');
  await expect(refused).rejects.toThrow(/nothing was promoted/);
  for (const name of ['admission-worker', 'finality-worker', 'module-review'])
    await expect(refused).rejects.toThrow(new RegExp(`VERSION_UNKNOWN: version [0-9a-f]{16} of ${name} `));
  await expect(refused).rejects.not.toThrow(/of indexer/);
  expect(await admin(`workers list ${only}`)).toBe(
    `indexer  current: none  this release: ${release}\n  ${release}  inactive\n`,
  );
});

it('launch-admin promotes the version of the release once, names the previous version, and refuses a version without workers.', async () => {
  expect(await admin(`workers promote ${only}`)).toBe(
    `indexer  ${release}  promoted, before: none\n  histories replayed: 0, 0 beyond the bounds\n`,
  );
  expect(await admin(`workers promote ${only}`)).toBe(`indexer  ${release}  was current before\n`);
  expect(JSON.parse(await admin(`workers promote ${only} --json`))).toEqual({
    promotions: [
      { deployment: 'indexer', buildId: release, previous: release, changed: false, replay: null, rollback: null },
    ],
  });
  const other = `workers promote ${only} --build-id 0123456789abcdef --wait 0`;
  await expect(admin(other)).rejects.toThrow(/VERSION_UNKNOWN: version 0123456789abcdef of indexer/);
  expect(JSON.parse(await admin(`workers list ${only} --json`))).toMatchObject({
    deployments: [{ deployment: 'indexer', release, current: release, versions: [{ status: 'current' }] }],
  });
});
