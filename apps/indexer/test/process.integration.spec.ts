import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { indexDeploymentSchema, type IndexSource } from '@launch/contracts/index';
import { canonicalJsonText } from '@launch/contracts/json';
import { indexWorkflowId, SEARCH_ATTRIBUTE_TYPES } from '@launch/contracts/orchestration';
import type { Devnet } from '@launch/devnet';
import { sourceReleaseDigest } from '@launch/evm/sources';
import { connectTemporal, type TemporalClient } from '@launch/temporal';
import { startTemporal, type TemporalServer } from '@launch/temporal-server';
import {
  armFailpoint,
  createTestDatabase,
  startServiceProcess,
  type ServiceProcess,
  type TestDatabase,
} from '@launch/testing';
import { writePrivate } from '../../../tools/start/src/data-folder.js';
import { developmentSources, publishSources } from '../../../tools/start/src/development-sources.js';
import { promoteWorker } from '../../../tools/start/src/promote-workers.js';
import { sourceProgram } from '../../../tools/start/src/fixtures/source-program.fixture.js';
import { prepareLaunch } from '../../finality-worker/test/fixtures/devnet-launch.fixture.js';
import { indexedDevnet, OwnIndex } from './fixtures/indexed-devnet.fixture.js';

jest.setTimeout(180_000);

const MAIN = path.resolve(import.meta.dirname, '../src/main.ts');

let chains: Awaited<ReturnType<typeof indexedDevnet>>;
let devnet: Devnet;
let database: TestDatabase;
let server: TemporalServer;
let temporal: TemporalClient;
let program: string;
let folder: string;
let sources: readonly IndexSource[];
/** Reads and writes the processes' rows. */
let beside: OwnIndex;
let processes: ServiceProcess[] = [];
/** Created once, since every process has the same version. */
let promoted: Promise<void> | undefined;

beforeAll(async () => {
  [chains, database, server] = await Promise.all([
    indexedDevnet(),
    createTestDatabase('indexer'),
    startTemporal({ searchAttributes: SEARCH_ATTRIBUTE_TYPES }),
  ]);
  ({ devnet } = chains);
  temporal = await connectTemporal({ address: server.address, namespace: server.namespace });
  program = await sourceProgram(MAIN, path.join(chains.dir, 'program'));
  sources = developmentSources(devnet, 'c'.repeat(40));
  folder = await publishSources(path.join(chains.dir, 'indexing'), devnet, sources);
  beside = OwnIndex.beside(devnet, path.join(chains.dir, 'blobs'), database.url);
});
afterEach(async () => {
  await Promise.all(processes.map((one) => one.stop()));
  processes = [];
});
afterAll(async () => {
  await temporal?.close();
  await beside?.close();
  await Promise.all([server?.stop(), database?.drop()]);
  await chains?.stop();
});

async function startIndexer(env: Record<string, string> = {}): Promise<ServiceProcess> {
  const urls = (chain: '1' | '4663'): string => devnet.rpc[chain].map(({ id, url }) => `${id}=${url}`).join(',');
  const service = await startServiceProcess({
    args: [program],
    env: {
      DATABASE_URL: database.url,
      TEMPORAL_ADDRESS: server.address,
      BLOB_STORE: path.join(chains.dir, 'blobs'),
      INDEX_SOURCES_DIR: folder,
      RPC_4663_URLS: urls('4663'),
      RPC_1_URLS: urls('1'),
      INDEX_POLL_MS: '100',
      INDEX_FINALITY_POLL_MS: '250',
      ...env,
    },
  });
  processes.push(service);
  await (promoted ??= promoteWorker(server, 'indexer'));
  return service;
}

let nonce = 0n;
const launch = async () => (await prepareLaunch(devnet, (nonce += 1n))).send(devnet.rpc['4663'][0]!.url);
const until = async (holds: () => Promise<boolean>): Promise<void> => {
  while (!(await holds())) await delay(50);
};
const finalRows = () =>
  beside.database.launch.findMany({ where: { sequence: { not: null } }, orderBy: { sequence: 'asc' } });
const rowOf = (source: IndexSource) =>
  beside.database.source.findUnique({ where: { releaseDigest: sourceReleaseDigest(source) } });
const stateOf = async (source: IndexSource) => (await rowOf(source))?.state;
const statusOf = async (source: IndexSource) => (await rowOf(source))?.status;
/** Disables a release, like a deployment does. */
async function disable(source: IndexSource): Promise<void> {
  const file = path.join(folder, 'deployment.json');
  const deployment = indexDeploymentSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  const disabled = deployment.sources.map((one) =>
    one.releaseDigest === sourceReleaseDigest(source) ? { ...one, status: 'disabled' as const } : one,
  );
  await writePrivate(file, canonicalJsonText({ ...deployment, sources: disabled }));
}

const indexOf = (source: IndexSource) =>
  temporal.client.workflow.getHandle(indexWorkflowId({ ...source, releaseDigest: sourceReleaseDigest(source) }));

/** Checks that numbers have no gap, no launch occurs twice, and the rows equal those of a new index. */
async function expectWhole(launches: number): Promise<void> {
  expect((await finalRows()).map(({ sequence }) => Number(sequence))).toEqual(
    Array.from({ length: launches }, (_, index) => index + 1),
  );
  const [router] = sources as readonly [IndexSource];
  const fresh = await OwnIndex.over(devnet, path.join(chains.dir, `blobs-${randomUUID()}`), [router]);
  try {
    await fresh.until(router, (progress) => progress.launches === launches);
    expect(await beside.content()).toEqual(await fresh.content());
  } finally {
    await fresh.close();
  }
}

describe('Indexers as processes', () => {
  it.each(['indexer.logs', 'indexer.committing', 'indexer.committed'])(
    'lose no launch and write none twice when one is killed at %s',
    async (point) => {
      const LAUNCH_FAILPOINTS = path.join(chains.dir, 'failpoints');
      await armFailpoint(LAUNCH_FAILPOINTS, point);
      const doomed = await startIndexer({ LAUNCH_FAILPOINTS });
      const before = (await finalRows()).length;
      await launch();
      await expect(doomed.exited).resolves.toMatchObject({ signal: 'SIGKILL' });
      // One continues once the killed worker misses its heartbeat; the others need not be awaited.
      if (point !== 'indexer.logs')
        for (const source of sources) if (source.endBlock === null) await indexOf(source).terminate();
      await startIndexer();
      await until(async () => (await finalRows()).length === before + 1);
      await expectWhole(before + 1);
    },
  );

  it('end the source of a retired router at its last block and continue with its successor', async () => {
    const [retired, current] = sources.filter(({ chainId }) => chainId === 1) as [IndexSource, IndexSource];
    await startIndexer();
    await until(async () => (await stateOf(retired)) === 'ended' && (await stateOf(current)) === 'following');
    expect(await indexOf(retired).result()).toBe('ended');
    const { checkpointNumber } = await beside.database.source.findUniqueOrThrow({
      where: { releaseDigest: sourceReleaseDigest(retired) },
    });
    expect(checkpointNumber).toBe(BigInt(retired.endBlock!));
    expect((await indexOf(current).describe()).status.name).toBe('RUNNING');
  });

  it('keep one checkpoint per source when several index at once', async () => {
    const [router] = sources as readonly [IndexSource];
    const before = (await finalRows()).length;
    await Promise.all([startIndexer(), startIndexer()]);
    let isOver = false;
    // Temporal gives a source to one worker at a time: this one bypasses it.
    const intruder = (async () => {
      while (!isOver) await beside.follow(router, 0);
    })();
    await launch();
    await launch();
    await until(async () => (await finalRows()).length === before + 2);
    isOver = true;
    await intruder;
    await expectWhole(before + 2);
    const finalized = await beside.database.checkpoint.findMany({ where: { finalized: true } });
    expect(new Set(finalized.map(({ releaseDigest }) => releaseDigest)).size).toBe(finalized.length);
  });

  it('start a release that is published while they run, refuse one without an adapter, and continue a disabled one', async () => {
    const [router, routerV1] = sources as readonly [IndexSource, IndexSource];
    const before = (await finalRows()).length;
    const second: IndexSource = { ...routerV1, profile: 'second' };
    const unknown: IndexSource = { ...routerV1, sourceVersion: 'custom-router-v9' };
    const service = await startIndexer();
    await publishSources(folder, devnet, [second, unknown]);
    await disable(router);
    await until(async () => (await stateOf(second)) === 'following' && (await stateOf(unknown)) === 'unsupported');
    await until(async () => (await statusOf(router)) === 'disabled');
    expect(await statusOf(routerV1)).toBe('retained');
    // A launch through the disabled release.
    await launch();
    await until(async () => (await finalRows()).length === before + 1);
    await expectWhole(before + 1);

    await until(async () => {
      const { searchAttributes } = await indexOf(unknown).describe();
      return JSON.stringify(searchAttributes).includes('unsupported');
    });
    const url = `http://127.0.0.1:${service.ready.port}`;
    expect(await (await fetch(`${url}/metrics`)).text()).toMatch(
      /launch_index_source_state\{[^}]*source_version="custom-router-v9"[^}]*state="unsupported"[^}]*\} 1/,
    );
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    await service.stop();
    await expect(service.exited).resolves.toEqual({ code: 0, signal: null });
  });
});
