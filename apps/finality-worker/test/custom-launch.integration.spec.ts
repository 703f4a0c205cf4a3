import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createFileBlobStore, type BlobStore } from '@launch/blob-store';
import { DEFAULT_LOG_SEARCH, DEFAULT_POLL_PACE, type ObserverPair } from '@launch/chain';
import { customLaunchEvidenceSchema, customLaunchFinalizedSchema } from '@launch/contracts/custom-launch';
import type { CustomLaunchContext } from '@launch/contracts/launch';
import { canonicalizeJson, isCanonical, parseStrictJson } from '@launch/contracts/json';
import type { ObservationMemory } from '@launch/contracts/orchestration';
import { sha256Digest } from '@launch/contracts/primitives';
import { startDevnet, type Devnet } from '@launch/devnet';
import { createPool } from '@launch/platform';
import { openFinalityDatabase, type FinalityDatabase } from '@launch/prisma-finality';
import { createTestDatabase, type TestDatabase } from '@launch/testing';
import { buildDevelopmentCustomLaunchContext } from '../../../tools/start/src/development-context.js';
import { finalityWork } from '../src/finality.activities.js';
import { createCustomLaunchContextRepository } from '../src/launch/custom-launch-context.repository.js';
import type { HandedOffCustomLaunch } from '../src/launch/handed-off.types.js';
import { createLaunchLoader, type LaunchLoader } from '../src/launch/launch.loader.js';
import { createObservationRepository } from '../src/observation/observation.repository.js';
import { observeLaunchOnce, type ObservationDependencies } from '../src/observation/observe-launch.service.js';
import { isNonceSpent, walletObstacle, walletPace } from '../src/observation/wallet-obstacle.js';
import { verifyEvidence } from '../../../clients/verify/src/commands/evidence.command.js';
import { prepareCustomLaunch, type PreparedCustomLaunch } from './fixtures/custom-launch.fixture.js';
import { observersOf, putFaults, rpc } from './fixtures/devnet-launch.fixture.js';
import type { Poll } from '../src/observation/poll.types.js';

jest.setTimeout(180_000);

const LAUNCH_ID = '3f2b8a4e-0000-4000-8000-000000000004';

let dir: string;
let devnet: Devnet;
let test: TestDatabase;
let pool: ReturnType<typeof createPool>;
let database: FinalityDatabase;
let blobs: BlobStore;
let l2: ObserverPair;
let l1: ObserverPair;
let context: CustomLaunchContext;
let prepared: PreparedCustomLaunch;
let launches: LaunchLoader;
let memory: ObservationMemory | null = null;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'launch-v4-finality-'));
  [devnet, test] = await Promise.all([
    startDevnet({ dir: join(dir, 'devnet'), finalitySeconds: 4, keepState: false, idleBlockMs: 0 }),
    createTestDatabase('finality'),
  ]);
  pool = createPool({ connectionString: test.url, applicationName: 'v4-finality-tests' });
  database = openFinalityDatabase(pool);
  blobs = createFileBlobStore({ dir: join(dir, 'blobs') });
  l2 = observersOf(devnet, '4663');
  l1 = observersOf(devnet, '1');
  context = buildDevelopmentCustomLaunchContext(devnet);
  prepared = await prepareCustomLaunch(devnet, context, 41n);
  await Promise.all([prepared.requestBytes, prepared.handoffBytes].map((bytes) => blobs.put(bytes)));
  // Another context is published by now; the launch keeps its own, which an earlier worker stored.
  await createCustomLaunchContextRepository(database, context).keep();
  launches = createLaunchLoader(blobs, createCustomLaunchContextRepository(database, null));
});
afterAll(async () => {
  await database?.$disconnect();
  await pool?.end();
  await test?.drop();
  await devnet?.stop();
  await rm(dir, { recursive: true, force: true });
});

const stored = () => ({
  launchId: LAUNCH_ID,
  family: 'custom-launch.v4' as const,
  requestSha256: prepared.handoff.requestSha256,
  handoffSha256: sha256Digest(prepared.handoffBytes),
});
const dependencies = (now: () => number = Date.now): ObservationDependencies => ({
  l2,
  l1,
  blobs,
  launches,
  observations: createObservationRepository(database),
  unsent: { add: async () => undefined, remove: async () => undefined },
  watch: { covers: () => true },
  pace: DEFAULT_POLL_PACE,
  expectedMs: { submitted: 20_000, included: 60_000, posted: 90_000 },
  logSearch: DEFAULT_LOG_SEARCH,
  now,
});
async function poll(from: ObservationMemory | null = memory, now?: () => number): Promise<Poll> {
  return observeLaunchOnce(dependencies(now), { ...stored(), hints: [], memory: from });
}
const loaded = async (): Promise<HandedOffCustomLaunch> => {
  const launch = await launches.load(stored());
  if (launch.family !== 'custom-launch.v4') throw new TypeError('a custom launch is loaded as one');
  return launch;
};

/** Ordered: each test continues from the launch's state after the previous one. */
describe('A custom launch whose hand-off waits', () => {
  it('reports its wallet’s obstacle, by both observers or not at all', async () => {
    const free = await poll(null);
    expect([free.memory.stage, free.wallet]).toEqual(['pending', { reason: null }]);
    const { controller } = prepared;
    const raw = devnet.rawRpc['4663'];
    const balance = await rpc(raw, 'eth_getBalance', controller, 'latest');
    await rpc(raw, 'anvil_setBalance', controller, '0x1');
    await rpc(raw, 'evm_mine');
    try {
      expect((await poll(free.memory)).wallet).toEqual({ reason: 'CONTROLLER_FUNDS_MISSING' });
      await putFaults(devnet, 'l2-b', { dropResponses: 'reset' });
      const silent = await poll(free.memory);
      expect([silent.observation.status, silent.wallet]).toEqual(['indeterminate', undefined]);
    } finally {
      await putFaults(devnet, 'l2-b', {});
      await rpc(raw, 'anvil_setBalance', controller, balance);
      await rpc(raw, 'evm_mine');
    }
    const now = (Number(prepared.handoff.deadline) - 299) * 1_000;
    expect((await poll(free.memory, () => now)).wallet).toEqual({ reason: 'DEADLINE_NEAR' });
  });

  it('reports gas above its budget, a reverting simulation, and a nonce that was spent before', async () => {
    const launch = await loaded();
    const { target, request } = launch;
    const poor = { ...launch, request: { ...request, budgets: { ...request.budgets, maxGasCostWei: '1' } } };
    expect(await walletObstacle(l2, poor, false, Date.now())).toEqual({ kind: 'known', reason: 'GAS_BUDGET_EXCEEDED' });
    const transaction = { ...target.transaction!, value: target.transaction!.value + 1n };
    const reverts = { ...launch, target: { ...target, transaction } };
    expect(await walletObstacle(l2, reverts, false, Date.now())).toEqual({
      kind: 'known',
      reason: 'HEAD_SIMULATION_REVERTED',
    });
    expect(await walletObstacle(l2, launch, true, Date.now())).toEqual({ kind: 'known', reason: 'ROUTER_NONCE_USED' });
    expect(await walletObstacle(l2, launch, null, Date.now())).toEqual({ kind: 'unknown' });
  });

  it('is polled every 15 s, and after two minutes every 60 s', async () => {
    expect([0, 119_999, 120_000].map(walletPace)).toEqual([15_000, 15_000, 60_000]);
    expect((await poll(null)).nextPollMs).toBe(15_000);
    const { memory: first } = await poll(null);
    const waited = Date.parse(first.stageSince) + 130_000;
    expect((await poll(first, () => waited)).nextPollMs).toBe(60_000);
  });

  it('counts its polls over every run of its observation', async () => {
    const before = await poll(null);
    const after = await poll(null);
    expect(after.memory.polls).toBeGreaterThan(before.memory.polls);
    ({ memory } = after);
  });
});

describe('A custom launch that is sent', () => {
  it('climbs to finality by its stamp at router V1, and leaves a public bundle and record', async () => {
    const hash = await prepared.send(devnet.rpc['4663'][0]?.url ?? '');
    const stages: string[] = [];
    let last: Poll;
    const end = Date.now() + 150_000;
    do {
      last = await poll();
      ({ memory } = last);
      if (stages.at(-1) !== last.memory.stage) stages.push(last.memory.stage);
      if (Date.now() > end) throw new Error(`waited in vain at ${last.memory.stage}: ${last.observation.reason}`);
      await delay(150);
    } while (last.memory.stage !== 'finalized');
    expect(last.wallet).toBeUndefined();
    expect(stages.at(-1)).toBe('finalized');
    expect(last.memory.transactionHash).toBe(hash);

    const { evidenceSha256 } = last;
    if (evidenceSha256 === null) throw new TypeError('a finalized poll has its evidence');
    const bytes = await blobs.get(evidenceSha256);
    const evidence = customLaunchEvidenceSchema.parse(parseStrictJson(bytes));
    expect(isCanonical(bytes)).toBe(true);
    expect(evidence).toMatchObject({
      finalityPolicyId: 'chain-ethereum-finalized-v1',
      outcome: 'finalized',
      context,
      handoff: prepared.handoff,
      conclusion: { transactionHash: hash },
    });
    // Public: the record contains observers' names but no addresses.
    const text = Buffer.from(bytes).toString();
    for (const { url } of [...devnet.rpc['4663'], ...devnet.rpc['1']]) expect(text).not.toContain(new URL(url).host);

    const { inclusion, checkpoint } = evidence.conclusion;
    const pins = {
      digest: evidenceSha256,
      request: prepared.requestBytes,
      checkpoint: checkpoint?.blockHash ?? '',
      l2Block: inclusion?.blockHash ?? '',
    };
    const verdict = await verifyEvidence(bytes, pins);
    expect((verdict.checks ?? []).filter((check) => check.verdict === 'fail')).toEqual([]);
    expect(verdict).toMatchObject({ verdict: 'pass', notChecked: [] });
    const other = `0x${'0'.repeat(64)}` as const;
    const { handoff, launch } = evidence;
    for (const [bent, check] of [
      [{ ...evidence, launch: { ...launch, onchainLaunchId: other } }, 'launch.onchainLaunchId'],
      [{ ...evidence, handoff: { ...handoff, permitDigest: other } }, 'handoff.permitDigest'],
      [{ ...evidence, conclusion: { ...evidence.conclusion, transactionHash: other } }, 'rule.outcome'],
      [{ ...evidence, exchanges: evidence.exchanges.slice(1) }, 'rule.outcome'],
    ] as const) {
      const { checks = [] } = await verifyEvidence(canonicalizeJson(bent));
      expect(checks.filter(({ verdict }) => verdict === 'fail').map((one) => one.check)).toContain(check);
    }
    const stranger = Buffer.from(Buffer.from(prepared.requestBytes).toString().replace('"nonce":"41"', '"nonce":"42"'));
    const { checks = [] } = await verifyEvidence(bytes, { ...pins, request: stranger });
    expect(checks.filter(({ verdict }) => verdict === 'fail').map((one) => one.check)).toEqual([
      'pin.request.sha256',
      'pin.request.hash',
      'pin.request.permit.nonce',
    ]);

    const work = finalityWork(dependencies() as never);
    const { recordSha256 } = await work.buildFinalizedRecord({
      ...stored(),
      memory: last.memory,
      evidenceSha256,
      finalizedAt: last.observation.at,
    });
    const record = customLaunchFinalizedSchema.parse(parseStrictJson(await blobs.get(recordSha256)));
    const { request } = await loaded();
    expect(record).toMatchObject({
      launchId: LAUNCH_ID,
      requestKind: 'launch',
      market: { token: request.graphBundle.officialPool.poolKey.currency1 },
      onchain: { router: context.chainDeployment.router.address, transactionHash: hash },
      evidence: { sha256: evidenceSha256 },
    });
    expect(record.sourceVerification.components.map(({ targetId, address }) => [targetId, address])).toEqual(
      request.graphBundle.components.map(({ componentId, predictedAddress }) => [componentId, predictedAddress]),
    );
    expect(await isNonceSpent(l2, await loaded())).toBe(true);
  });
});
