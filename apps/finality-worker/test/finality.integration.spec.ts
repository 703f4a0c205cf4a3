import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createFileBlobStore, type BlobStore } from '@launch/blob-store';
import {
  DEFAULT_LOG_SEARCH,
  DEFAULT_POLL_PACE,
  materializeRuntimes,
  nonceUsedAgreed,
  observersOfContext,
  readPinnedContracts,
  simulateTransaction,
  type ObserverPair,
} from '@launch/chain';
import { canonicalizeJson, isCanonical, parseStrictJson } from '@launch/contracts/json';
import { finalityEvidenceSchema, finalizedRecordSchema } from '@launch/contracts/multi-role';
import type { ObservationMemory, ObservedStage } from '@launch/contracts/orchestration';
import { sha256Digest } from '@launch/contracts/primitives';
import { startDevnet, type Devnet } from '@launch/devnet';
import { launchCallOf, type Hex } from '@launch/evm';
import { createPool } from '@launch/platform';
import { openFinalityDatabase, type FinalityDatabase } from '@launch/prisma-finality';
import { createTestDatabase, type TestDatabase } from '@launch/testing';
import { createLaunchLoader } from '../src/launch/launch.loader.js';
import { createObservationRepository } from '../src/observation/observation.repository.js';
import { observeLaunchOnce, type ObservationDependencies } from '../src/observation/observe-launch.service.js';
import { finalizedRecord } from '../src/record/finalized-record.js';
import {
  devnetContext,
  observersOf,
  prepareLaunch,
  putFaults,
  rpc,
  type PreparedLaunch,
} from './fixtures/devnet-launch.fixture.js';
import type { Poll } from '../src/observation/poll.types.js';

jest.setTimeout(180_000);

const PROVIDERS = ['l1-a', 'l1-b', 'l2-a', 'l2-b'];
const EXPECTED_MS = { submitted: 20_000, included: 60_000, posted: 90_000 };
const launchIdOf = (nonce: bigint): string => `3f2b8a4e-0000-4000-8000-${nonce.toString().padStart(12, '0')}`;

let dir: string;
let devnet: Devnet;
let database: TestDatabase;
let pool: ReturnType<typeof createPool>;
let prisma: FinalityDatabase;
let blobs: BlobStore;
let l2: ObserverPair;
let l1: ObserverPair;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'launch-finality-'));
  [devnet, database] = await Promise.all([
    startDevnet({ dir: join(dir, 'devnet'), finalitySeconds: 4, keepState: false, idleBlockMs: 0 }),
    createTestDatabase('finality'),
  ]);
  pool = createPool({ connectionString: database.url, applicationName: 'finality-tests' });
  prisma = openFinalityDatabase(pool);
  blobs = createFileBlobStore({ dir: join(dir, 'blobs') });
  l2 = observersOf(devnet, '4663');
  l1 = observersOf(devnet, '1');
});

afterEach(() => Promise.all(PROVIDERS.map((id) => putFaults(devnet, id, {}))));

afterAll(async () => {
  await prisma?.$disconnect();
  await pool?.end();
  await database?.drop();
  await devnet?.stop();
  await rm(dir, { recursive: true, force: true });
});

const dependencies = (): ObservationDependencies => ({
  l2,
  l1,
  blobs,
  launches: createLaunchLoader(blobs, { load: () => Promise.reject(new Error('no custom launch')) }),
  observations: createObservationRepository(prisma),
  unsent: { add: async () => undefined, remove: async () => undefined },
  watch: { covers: () => false },
  pace: DEFAULT_POLL_PACE,
  expectedMs: EXPECTED_MS,
  logSearch: DEFAULT_LOG_SEARCH,
  now: Date.now,
});

/** Watches one launch like the workflow, passing the memory from poll to poll. */
class Watch {
  memory: ObservationMemory | null = null;
  readonly stages: string[] = [];
  /** Published estimates of the next stage, by stage. */
  readonly estimates = new Map<string, Pick<Poll, 'estimatedNextStageAt' | 'basis'>[]>();

  constructor(
    readonly nonce: bigint,
    readonly launch: PreparedLaunch,
    readonly hints: Hex[] = [],
  ) {}

  async poll(): Promise<Poll> {
    const { launch, nonce } = this;
    const result = await observeLaunchOnce(dependencies(), {
      launchId: launchIdOf(nonce),
      requestSha256: launch.handoff.requestSha256,
      handoffSha256: sha256Digest(launch.handoffBytes),
      hints: this.hints,
      memory: this.memory,
    });
    this.memory = result.memory;
    const {
      memory: { stage, stageSince },
      estimatedNextStageAt,
      basis,
    } = result;
    if (this.stages.at(-1) !== stage) this.stages.push(stage);
    this.estimates.set(stage, [...(this.estimates.get(stage) ?? []), { estimatedNextStageAt, basis }]);
    // Never in the past, and never for a stage that is not expected.
    if (estimatedNextStageAt !== null)
      expect(Date.parse(estimatedNextStageAt)).toBeGreaterThan(
        Math.max(Date.parse(result.observation.at), Date.parse(stageSince)),
      );
    return result;
  }

  async until(reached: (result: Poll) => boolean): Promise<Poll> {
    const end = Date.now() + 120_000;
    for (;;) {
      const result = await this.poll();
      if (reached(result)) return result;
      if (Date.now() > end)
        throw new Error(`waited in vain; last: ${JSON.stringify(result.observation)} at ${result.memory.stage}`);
      await delay(150);
    }
  }
}

async function watched(nonce: bigint, hints: Hex[] = []): Promise<Watch> {
  const launch = await prepareLaunch(devnet, nonce);
  await blobs.put(launch.requestBytes);
  await blobs.put(launch.handoffBytes);
  return new Watch(nonce, launch, hints);
}

const providerUrl = (): string => devnet.rpc['4663'][0]?.url ?? '';

describe('The chain behind a context', () => {
  it('is compared with the pinned code and the published observers', async () => {
    const context = devnetContext(devnet);
    expect(await readPinnedContracts(l2, context)).toEqual([]);
    expect(observersOfContext(context, { l2, l1 })).toEqual([]);
    const other = { ...context.chainDeployment.router, runtimeCodeHash: `0x${'1'.repeat(64)}` as const };
    expect(await readPinnedContracts(l2, { chainDeployment: { ...context.chainDeployment, router: other } })).toEqual([
      'ROUTER_CODE_MISMATCH',
    ]);
    expect(observersOfContext(context, { l2: l1, l1: l2 })).toEqual([
      'L2_OBSERVERS_NOT_IN_CONTEXT',
      'L1_OBSERVERS_NOT_IN_CONTEXT',
    ]);
  });

  it('yields no verdict if one observer serves another chain or is unreachable', async () => {
    await putFaults(devnet, 'l2-b', { disagree: true });
    expect(await readPinnedContracts(l2, devnetContext(devnet))).toEqual(['OBSERVERS_INDETERMINATE']);
    await putFaults(devnet, 'l2-b', { dropResponses: 'reset' });
    expect(await readPinnedContracts(l2, devnetContext(devnet))).toEqual(['OBSERVERS_INDETERMINATE']);
  });

  it('materializes exactly the code that the launch will deploy', async () => {
    const { request, handoff } = await prepareLaunch(devnet, 900n);
    const call = launchCallOf(request);
    const made = await materializeRuntimes(
      l2,
      handoff.walletTransaction.to,
      call.components.map(({ salt }) => salt),
      call.components.map(({ initCode }) => initCode),
      call.children.map(({ account }) => account),
    );
    expect(made).toMatchObject({
      kind: 'materialized',
      components: request.graphBundle.components.map((component) => ({
        account: component.predictedAddress,
        runtimeCode: component.expectedRuntimeCode,
        runtimeCodeHash: component.expectedRuntimeCodeHash,
      })),
      children: request.graphBundle.children.map((child) => ({
        account: child.account,
        runtimeCodeHash: child.runtimeCodeHash,
      })),
    });
    const absent = await materializeRuntimes(
      l2,
      handoff.walletTransaction.to,
      [`0x${'0'.repeat(64)}`],
      ['0x60006000fd'],
      [],
    );
    expect(absent).toEqual({ kind: 'refused', error: 'ComponentCreationFailed', index: 0 });
  });

  it('simulates equally with and without eth_simulateV1, and distinguishes a revert, missing funds and a passed window', async () => {
    const { handoff } = await prepareLaunch(devnet, 901n);
    const { from, to, data, value } = handoff.walletTransaction;
    const transaction = { from, to, data: data as Hex, value: BigInt(value) };
    const window = { validAfter: BigInt(handoff.validAfter), deadline: BigInt(handoff.deadline) };
    await Promise.all(['l2-a', 'l2-b'].map((id) => putFaults(devnet, id, { noSimulate: true })));
    expect(await simulateTransaction(l2, transaction, window)).toMatchObject({ kind: 'ok' });
    const later = { validAfter: window.deadline - 10n, deadline: window.deadline };
    expect(await simulateTransaction(l2, transaction, later)).toMatchObject({ kind: 'indeterminate' });
    await Promise.all(['l2-a', 'l2-b'].map((id) => putFaults(devnet, id, {})));
    expect(await simulateTransaction(l2, transaction, later)).toMatchObject({ kind: 'ok' });
    expect(await simulateTransaction(l2, { ...transaction, value: transaction.value + 1n }, window)).toMatchObject({
      kind: 'reverted',
    });
    expect(await simulateTransaction(l2, { ...transaction, value: 10n ** 40n }, window)).toMatchObject({
      kind: 'insufficient-funds',
    });
    expect(await simulateTransaction(l2, transaction, { validAfter: 1n, deadline: 2n })).toEqual({
      kind: 'window-passed',
    });
  });
});

describe('The expected time of the next stage', () => {
  /** Records lengths as other launches left them. */
  const measured = async (stage: ObservedStage, lengths: readonly number[], age = 0): Promise<void> => {
    const observations = createObservationRepository(prisma);
    for (const [index, length] of lengths.entries())
      await observations.addDuration(launchIdOf(BigInt(1_000 + index)), stage, length, new Date(Date.now() - age));
  };
  afterEach(() => prisma.stageDuration.deleteMany());

  it('is published at each stage: from the configuration at first, from enough measurements later, and never at an end', async () => {
    const watch = await watched(10n);
    await watch.poll();
    await watch.launch.send(providerUrl());
    await putFaults(devnet, 'l1-a', { holdFinalized: true });
    const first = await watch.until(({ memory }) => memory.stage === 'posted');
    expect([first.basis, first.estimatedNextStageAt]).toEqual([
      'configured-expectation',
      new Date(Date.parse(first.memory.stageSince) + EXPECTED_MS.posted).toISOString(),
    ]);

    // Every poll has new dependencies, like another worker after a restart.
    await measured('posted', [...Array.from({ length: 18 }, () => 70_000), 3_600_000, 7_200_000]);
    const again = await watch.poll();
    expect([again.basis, again.estimatedNextStageAt]).toEqual([
      'rolling-p90',
      new Date(Date.parse(first.memory.stageSince) + 70_000).toISOString(),
    ]);
    await prisma.stageDuration.deleteMany();
    await measured(
      'posted',
      Array.from({ length: 40 }, () => 70_000),
      31 * 86_400_000,
    );
    expect((await watch.poll()).basis).toBe('configured-expectation');

    await putFaults(devnet, 'l1-a', {});
    await watch.until(({ memory }) => memory.stage === 'finalized');
    expect(watch.estimates.get('pending')?.[0]).toEqual({ estimatedNextStageAt: null, basis: null });
    expect(watch.estimates.get('finalized')).toEqual([{ estimatedNextStageAt: null, basis: null }]);
  });
});

describe('A launch on the development chains', () => {
  it('is found by its stamp alone, climbs to finality, and leaves evidence and a public record', async () => {
    const watch = await watched(1n);
    expect(await watch.poll()).toMatchObject({
      memory: { stage: 'pending', transactionHash: null },
      observation: { status: 'agreed', reason: null },
    });
    const hash = await watch.launch.send(providerUrl());
    const last = await watch.until(({ memory }) => memory.stage === 'finalized');
    expect(watch.stages.filter((stage) => stage !== 'posted')).toEqual(
      expect.arrayContaining(['pending', 'finalized']),
    );
    expect(last.memory).toMatchObject({ transactionHash: hash, inclusion: { receiptStatus: 'success' } });
    expect(
      await nonceUsedAgreed(
        l2,
        watch.launch.handoff.walletTransaction.to,
        watch.launch.handoff.walletTransaction.from,
        1n,
      ),
    ).toMatchObject({ kind: 'agreed', value: true });

    const bytes = await blobs.get(last.evidenceSha256 as never);
    expect(isCanonical(bytes)).toBe(true);
    const evidence = finalityEvidenceSchema.parse(parseStrictJson(bytes));
    expect(evidence.conclusion).toMatchObject({
      transactionHash: hash,
      checkpoint: { blockHash: last.memory.checkpoint?.blockHash },
    });
    expect(new Set(evidence.exchanges.map(({ observer }) => observer))).toEqual(new Set(PROVIDERS));
    expect(new TextDecoder().decode(bytes)).not.toContain('http://');

    const launch = await dependencies().launches.load({
      requestSha256: watch.launch.handoff.requestSha256,
      handoffSha256: sha256Digest(watch.launch.handoffBytes),
    });
    if (launch.family !== 'multi-role.v2') throw new TypeError('a multi-role launch is loaded as one');
    const record = finalizedRecord(launchIdOf(1n), launch, last.memory, last.observation.at);
    expect(finalizedRecordSchema.parse(record)).toMatchObject({
      market: { token: watch.launch.request.graphBundle.components[0]?.predictedAddress },
      provenance: { transactionHash: hash, requestHash: watch.launch.handoff.requestHash },
    });
    expect(new TextDecoder().decode(canonicalizeJson(record))).not.toContain(
      watch.launch.handoff.walletTransaction.data.slice(-130),
    );
    const row = await prisma.launchObservation.findUniqueOrThrow({ where: { launchId: launchIdOf(1n) } });
    expect(row).toMatchObject({ stage: 'finalized', evidenceSha256: last.evidenceSha256 });
  });

  it('does not change while one L2 observer forges its receipt, and continues when that ends', async () => {
    const watch = await watched(2n, [`0x${'7'.repeat(64)}`]);
    const hash = await watch.launch.send(providerUrl());
    await putFaults(devnet, 'l2-b', { forgeReceipt: { transactionHash: hash, fields: ['status'] } });
    const forged = await watch.until(({ observation }) => observation.status === 'indeterminate');
    expect(forged.memory.inclusion).toBeNull();
    expect(forged.observation.reason).toMatch(/receipt: l2-a and l2-b disagree/);
    for (let poll = 0; poll < 5; poll++) expect((await watch.poll()).memory.inclusion).toBeNull();
    await putFaults(devnet, 'l2-b', {});
    await watch.until(({ memory }) => memory.stage === 'finalized');
    expect(
      await prisma.observerNote.count({ where: { launchId: launchIdOf(2n), reason: { contains: 'disagree' } } }),
    ).toBe(1);
  });

  it('stays below finality while one L1 observer holds its finalized block', async () => {
    const watch = await watched(3n);
    await putFaults(devnet, 'l1-a', { holdFinalized: true });
    await watch.launch.send(providerUrl());
    const posted = await watch.until(({ memory }) => memory.stage === 'posted');
    const l1Block = Number(posted.memory.posting?.l1BlockNumber);
    // The chain itself is past the posting block by more than its finality depth.
    const end = Date.now() + 120_000;
    for (let finalized = 0; finalized < l1Block && Date.now() < end; await delay(100)) {
      const header = (await rpc(devnet.rpc['1'][1]?.url ?? '', 'eth_getBlockByNumber', 'finalized', false)) as {
        number: string;
      };
      finalized = Number(header.number);
    }
    expect((await watch.poll()).memory.stage).toBe('posted');
    await putFaults(devnet, 'l1-a', {});
    await watch.until(({ memory }) => memory.stage === 'finalized');
  });

  it('does not count a reverted transaction, and finds the next one that succeeds', async () => {
    const watch = await watched(4n);
    // Too little gas: the transaction is included and reverts, the permit stays unused.
    watch.hints.push(await watch.launch.send(providerUrl(), { gas: 700_000n }));
    const reverted = await watch.until(({ observation }) => observation.reason === 'RECEIPT_REVERTED_UNFINALIZED');
    expect(reverted.memory).toMatchObject({ stage: 'submitted', inclusion: { receiptStatus: 'reverted' } });
    await watch.until(({ observation }) => observation.reason === 'RECEIPT_REVERTED_PERMIT_LIVE');
    const second = await watch.launch.send(providerUrl());
    expect((await watch.until(({ memory }) => memory.stage === 'finalized')).memory.transactionHash).toBe(second);
  });
});
