import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { createFileBlobStore } from '@launch/blob-store';
import { DEFAULT_LOG_SEARCH, DEFAULT_POLL_PACE } from '@launch/chain';
import type { ObservationMemory } from '@launch/contracts/orchestration';
import { sha256Digest, type Hex } from '@launch/contracts/primitives';
import { startDevnet, type Devnet } from '@launch/devnet';
import { createPool } from '@launch/platform';
import { openFinalityDatabase } from '@launch/prisma-finality';
import { createTestDatabase, type TestDatabase } from '@launch/testing';
import { createLaunchLoader } from '../src/launch/launch.loader.js';
import { createObservationRepository } from '../src/observation/observation.repository.js';
import { observeLaunchOnce } from '../src/observation/observe-launch.service.js';
import { createStampWatch } from '../src/observation/stamp-watch.js';
import { createUnsentRepository } from '../src/observation/unsent.repository.js';
import { createCheckpointRepository } from '../src/recovery/checkpoint.repository.js';
import { observersOf, prepareLaunch } from './fixtures/devnet-launch.fixture.js';
import type { Poll } from '../src/observation/poll.types.js';

jest.setTimeout(180_000);
const LAUNCH_ID = '3f2b8a4e-0000-4000-8000-000000000001';

let dir: string;
let devnet: Devnet;
let database: TestDatabase;
let pool: ReturnType<typeof createPool>;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'unsent-'));
  [devnet, database] = await Promise.all([
    startDevnet({ dir: join(dir, 'devnet'), finalitySeconds: 4, keepState: false }),
    createTestDatabase('finality'),
  ]);
  pool = createPool({ connectionString: database.url, applicationName: 'unsent-tests' });
});
afterAll(async () => {
  await pool?.end();
  await database?.drop();
  await devnet?.stop();
  await rm(dir, { recursive: true, force: true });
});

it('An unsent launch is polled rarely, and its transaction wakes it.', async () => {
  const prisma = openFinalityDatabase(pool);
  const blobs = createFileBlobStore({ dir: join(dir, 'blobs') });
  const l2 = observersOf(devnet, '4663');
  const unsent = createUnsentRepository(prisma);
  const woken: string[] = [];
  const watch = createStampWatch({
    l2,
    unsent,
    checkpoints: createCheckpointRepository(prisma),
    wake: async (launchId, hash) => {
      expect(launchId).toBe(LAUNCH_ID);
      woken.push(hash);
    },
    rangeBlocks: 10_000n,
    now: Date.now,
  });
  const launch = await prepareLaunch(devnet, 1n);
  await blobs.put(launch.requestBytes);
  await blobs.put(launch.handoffBytes);
  let memory: ObservationMemory | null = null;
  const poll = async (hints: readonly Hex[] = []): Promise<Poll> => {
    const result = await observeLaunchOnce(
      {
        l2,
        l1: observersOf(devnet, '1'),
        blobs,
        launches: createLaunchLoader(blobs, { load: () => Promise.reject(new Error('no custom launch')) }),
        observations: createObservationRepository(prisma),
        pace: DEFAULT_POLL_PACE,
        expectedMs: { submitted: 20_000, included: 60_000, posted: 90_000 },
        logSearch: DEFAULT_LOG_SEARCH,
        unsent,
        watch,
        now: Date.now,
      },
      {
        launchId: LAUNCH_ID,
        requestSha256: launch.handoff.requestSha256,
        handoffSha256: sha256Digest(launch.handoffBytes),
        hints,
        memory,
      },
    );
    ({ memory } = result);
    return result;
  };

  expect((await poll()).nextPollMs).toBeLessThanOrEqual(DEFAULT_POLL_PACE.idleMaxMs);
  await watch.poll();
  expect(await poll()).toMatchObject({ memory: { stage: 'pending' }, nextPollMs: 300_000 });
  // The worker looks up a client's hint at the usual pace.
  expect((await poll([`0x${'1'.repeat(64)}`])).nextPollMs).toBeLessThanOrEqual(DEFAULT_POLL_PACE.idleMaxMs);

  const hash = await launch.send(devnet.rpc['4663'][0]?.url ?? '');
  while (woken.length === 0) {
    await delay(100);
    await watch.poll();
  }
  expect(new Set(woken)).toEqual(new Set([hash]));
  expect(await poll([hash])).toMatchObject({ memory: { transactionHash: hash } });
  expect(await unsent.routers()).toEqual([]);
});
