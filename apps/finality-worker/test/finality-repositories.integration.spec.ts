import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ObservationMemory } from '@launch/contracts/orchestration';
import { canonicalKeccak, sha256Digest, type Hex } from '@launch/contracts/primitives';
import { createPool } from '@launch/platform';
import { openFinalityDatabase, type FinalityDatabase } from '@launch/prisma-finality';
import { createTestDatabase, type TestDatabase } from '@launch/testing';
import { customLaunchContext } from '../../../libs/launch-rules/src/fixtures/custom-launch-request.fixture.js';
import { createCustomLaunchContextRepository } from '../src/launch/custom-launch-context.repository.js';
import { createObservationRepository, type ObservationRow } from '../src/observation/observation.repository.js';
import { createUnsentRepository } from '../src/observation/unsent.repository.js';
import { createStepObservationRepository } from '../src/plans/step-observation.repository.js';
import { createCheckpointRepository } from '../src/recovery/checkpoint.repository.js';

const anyWord = (): Hex => `0x${randomBytes(32).toString('hex')}`;
const anyAccount = (): Hex => `0x${randomBytes(20).toString('hex')}`;
const anyDigest = () => sha256Digest(randomBytes(8));
const at = (second: number): Date => new Date(Date.UTC(2026, 10, 20, 10, 0, second));

let test: TestDatabase;
let pool: ReturnType<typeof createPool>;
let database: FinalityDatabase;
beforeAll(async () => {
  test = await createTestDatabase('finality');
  pool = createPool({ connectionString: test.url, applicationName: 'finality-tests' });
  database = openFinalityDatabase(pool);
});
afterAll(async () => {
  await database?.$disconnect();
  await pool?.end();
  await test?.drop();
});

const seen = (polls: number, more: Partial<ObservationRow> = {}) => ({
  memory: { stage: 'included', polls } as unknown as ObservationMemory,
  status: 'agreed' as const,
  reason: null,
  evidenceSha256: null,
  observedAt: at(polls),
  ...more,
});

describe('The repository of observations', () => {
  it('replaces the last observation of a launch, keeps its evidence, and counts its polls', async () => {
    const observations = createObservationRepository(database);
    const launchId = randomUUID();
    expect(await observations.polls(launchId)).toBe(0);
    const evidenceSha256 = anyDigest();
    await observations.save({ launchId, ...seen(1, { evidenceSha256 }) });
    await observations.save({ launchId, ...seen(2) });
    const recordSha256 = anyDigest();
    await observations.recordPublished(launchId, recordSha256);
    expect(await observations.polls(launchId)).toBe(2);
    expect(await database.launchObservation.findUnique({ where: { launchId } })).toEqual({
      launchId,
      stage: 'included',
      polls: 2,
      memory: { stage: 'included', polls: 2 },
      status: 'agreed',
      reason: null,
      evidenceSha256,
      recordSha256,
      observedAt: at(2),
    });
  });

  it('counts each reason for which observers made no statement', async () => {
    const observations = createObservationRepository(database);
    const launchId = randomUUID();
    const indeterminate = (polls: number, reason: string) =>
      observations.save({ launchId, ...seen(polls, { status: 'indeterminate', reason }) });
    await indeterminate(1, 'lags');
    await indeterminate(2, 'lies');
    await indeterminate(3, 'lags');
    await observations.save({ launchId, ...seen(4) });
    const notes = await database.observerNote.findMany({ where: { launchId }, orderBy: { reason: 'asc' } });
    expect(notes).toEqual([
      { launchId, reason: 'lags', times: 2, firstSeen: at(1), lastSeen: at(3) },
      { launchId, reason: 'lies', times: 1, firstSeen: at(2), lastSeen: at(2) },
    ]);
  });

  it('keeps the first length of a stage, and returns recent lengths, the newest first, at most two hundred', async () => {
    const observations = createObservationRepository(database);
    const launchId = randomUUID();
    await observations.addDuration(launchId, 'posted', 5, at(5));
    await observations.addDuration(launchId, 'posted', 50, at(50));
    await observations.addDuration(randomUUID(), 'posted', 3, at(3));
    await observations.addDuration(randomUUID(), 'posted', 1, at(1));
    await observations.addDuration(launchId, 'included', 4, at(4));
    expect(await observations.recentDurations('posted', at(3))).toEqual([5, 3]);
    await database.stageDuration.createMany({
      data: Array.from({ length: 201 }, (_, index) => ({
        launchId: randomUUID(),
        stage: 'posted',
        durationMs: 1_000 + index,
        reachedAt: new Date(at(30).getTime() + index),
      })),
    });
    const recent = await observations.recentDurations('posted', at(3));
    expect([recent.length, recent[0], recent.at(-1)]).toEqual([200, 1_200, 1_001]);
  });
});

it('The repository of step observations replaces the last observation of each step, and keeps its evidence.', async () => {
  const steps = createStepObservationRepository(database);
  const planId = randomUUID();
  const evidenceSha256 = anyDigest();
  await steps.save({ planId, stepId: 'one', ...seen(1, { evidenceSha256 }) });
  await steps.save({ planId, stepId: 'one', ...seen(2) });
  await steps.save({ planId, stepId: 'two', ...seen(7) });
  expect(await database.stepObservation.findMany({ where: { planId }, orderBy: { stepId: 'asc' } })).toEqual([
    expect.objectContaining({ stepId: 'one', polls: 2, evidenceSha256, observedAt: at(2) }),
    expect.objectContaining({ stepId: 'two', polls: 7, evidenceSha256: null }),
  ]);
});

it('The repository of unsent launches searches each router from its lowest block, and finds launches by their stamps.', async () => {
  const unsent = createUnsentRepository(database);
  const [router, other] = [anyAccount(), anyAccount()];
  const launch = (at: Hex, searchFrom: bigint) => ({
    launchId: randomUUID(),
    router: at,
    onchainLaunchId: anyWord(),
    searchFrom,
  });
  const [one, two, foreign] = [launch(router, 9n), launch(router, 100n), launch(other, 20n)];
  for (const added of [one, two, foreign, { ...one, searchFrom: 1n }]) await unsent.add(added);
  const expected = [
    { router, searchFrom: 9n },
    { router: other, searchFrom: 20n },
  ];
  expect(await unsent.routers()).toEqual(expect.arrayContaining(expected));
  const stamps = [one, two, foreign].map(({ onchainLaunchId }) => onchainLaunchId);
  const found = await unsent.ofStamps(router, [...stamps.slice(1), anyWord()]);
  expect(found).toEqual([{ launchId: two.launchId, onchainLaunchId: two.onchainLaunchId }]);
  await unsent.remove(one.launchId);
  await unsent.remove(foreign.launchId);
  expect(await unsent.routers()).toEqual([{ router, searchFrom: 100n }]);
  await unsent.add(launch(`no router ${'.'.repeat(32)}` as Hex, 1n));
  await expect(unsent.routers()).rejects.toThrow();
});

it('The repository of checkpoints moves a checkpoint only from the block that the caller read.', async () => {
  const checkpoints = createCheckpointRepository(database);
  const router = anyAccount();
  const block = (blockNumber: string) => ({ blockNumber, blockHash: anyWord() });
  const [first, second, third] = [block('1'), block('18446744073709'), block('3')];
  expect(await checkpoints.find(router)).toBeNull();
  await checkpoints.move(router, null, null, at(0));
  expect(await checkpoints.find(router)).toBeNull();
  await checkpoints.move(router, null, first, at(1));
  await checkpoints.move(router, null, third, at(1));
  expect(await checkpoints.find(router)).toEqual(first);
  await checkpoints.move(router, first, second, at(2));
  await checkpoints.move(router, first, third, at(3));
  expect(await checkpoints.find(router)).toEqual(second);
  await database.recoveryCheckpoint.updateMany({ where: { router }, data: { blockHash: 'no hash'.padEnd(66) } });
  await expect(checkpoints.find(router)).rejects.toThrow();
});

it('The repository of contexts keeps the published context for later deployments, and refuses a changed one.', async () => {
  const context = customLaunchContext();
  const contextHash = canonicalKeccak(context);
  const later = createCustomLaunchContextRepository(database, null);
  await expect(later.load(contextHash)).rejects.toMatchObject({ code: 'CONTEXT_UNKNOWN' });
  const earlier = createCustomLaunchContextRepository(database, context);
  await Promise.all([earlier.keep(), earlier.keep(), later.keep()]);
  expect(await later.load(contextHash)).toEqual(context);
  const { document } = await database.customLaunchContext.findUniqueOrThrow({ where: { contextHash } });
  const another = anyWord();
  await database.customLaunchContext.create({ data: { contextHash: another, document } });
  await expect(later.load(another)).rejects.toThrow(another);
});
