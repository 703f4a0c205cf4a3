import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createLogger, createPool, Secret } from '@launch/platform';
import type { ReviewMove, ReviewSubject } from '@launch/contracts/orchestration';
import type { Sha256Digest } from '@launch/contracts/primitives';
import { openModuleReviewDatabase, type ModuleReviewDatabase } from '@launch/prisma-module-review';
import { migrateDeploy } from '@launch/prisma-tools';
import { createEmptyDatabase, type TestDatabase } from '@launch/testing';
import { createReviewRepository, type ReviewRepository } from './review.repository.js';

const digest = (digit: string): Sha256Digest => `sha256:${digit.repeat(64)}`;
let test: TestDatabase;
let pool: ReturnType<typeof createPool>;
let database: ModuleReviewDatabase;
let reviews: ReviewRepository;
beforeAll(async () => {
  test = await createEmptyDatabase();
  await migrateDeploy(test.url, path.resolve(import.meta.dirname, '../../../prisma/module-review/migrations'));
  pool = createPool({
    connectionString: new Secret(test.url),
    applicationName: 'module-review',
    logger: createLogger({ service: 'module-review', level: 'silent' }),
  });
  database = openModuleReviewDatabase(pool);
  reviews = createReviewRepository(database);
});
afterAll(async () => {
  await database?.$disconnect();
  await pool?.end();
  await test?.drop();
});

const subject = (): ReviewSubject => ({
  submissionId: randomUUID(),
  requestDigest: digest('1'),
  packageId: `0x${'2'.repeat(64)}`,
  author: `0x${'3'.repeat(40)}`,
  supersedes: null,
  createdAt: '2026-11-23T00:00:00.000Z',
});
const moveOf = (submissionId: string, revision: number, given: Partial<ReviewMove>): ReviewMove => ({
  submissionId,
  revision,
  trigger: 'plan_attached',
  attempt: 0,
  planSha256: digest('4'),
  failure: null,
  build: null,
  decisionSha256: null,
  ...given,
});

it('A review is opened once, moves step by step, and does not change when a move is repeated.', async () => {
  const one = subject();
  expect((await reviews.open(one)).steps).toEqual([]);
  expect((await reviews.open({ ...one, createdAt: '2027-01-01T00:00:00.000Z' })).review.createdAt.toISOString()).toBe(
    one.createdAt,
  );
  const attach = moveOf(one.submissionId, 0, {});
  await reviews.move(attach);
  await reviews.move(moveOf(one.submissionId, 1, { trigger: 'build_started', attempt: 1 }));
  const failed = moveOf(one.submissionId, 2, {
    trigger: 'build_failed',
    attempt: 1,
    failure: { code: 'COMPILER_ERROR', place: 'a.sol' },
  });
  await reviews.move(failed);
  for (const again of [attach, failed]) {
    expect((await reviews.move(again)).steps.map(({ revision, state }) => `${revision} ${state}`)).toEqual([
      '1 queued',
      '2 running',
      '3 build_failed',
    ]);
  }
});

it('One of two concurrent moves from one revision wins, and a move that the state does not allow is refused.', async () => {
  const { submissionId } = (await reviews.open(subject())).review;
  const both = await Promise.allSettled(
    (['request_changes', 'reject'] as const).map((trigger, index) =>
      reviews.move(moveOf(submissionId, 0, { trigger, planSha256: null, decisionSha256: digest(String(5 + index)) })),
    ),
  );
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { code: 'REVIEW_MOVE_CONFLICT', retryable: false },
  });
  await expect(reviews.move(moveOf(submissionId, 1, {}))).rejects.toMatchObject({ code: 'REVIEW_MOVE_CONFLICT' });
  await expect(reviews.move(moveOf(randomUUID(), 0, {}))).rejects.toMatchObject({ code: 'REVIEW_MISSING' });
});

it('Earlier findings are those of the latest builds of other submissions, newest first and 256 at most.', async () => {
  const opened = async (): Promise<string> => (await reviews.open(subject())).review.submissionId;
  const mine = await opened();
  const findingsOf = (at: number): string => `sha256:${at.toString(16).padStart(64, '0')}`;
  const step = { revision: 1, attempt: 1, planSha256: digest('4') };
  const built = { ...step, trigger: 'build_succeeded', state: 'built' };
  const at = (minute: number): Date => new Date(Date.UTC(2026, 10, 24, 0, minute));
  await database.reviewStep.createMany({
    data: [
      { ...built, submissionId: mine, at: at(900), build: { findingsSha256: digest('a') } },
      // Failed and planned builds have no findings.
      { ...step, submissionId: await opened(), trigger: 'build_failed', state: 'build_failed', at: at(901) },
      { ...step, submissionId: await opened(), trigger: 'plan_attached', state: 'queued', at: at(902) },
    ],
  });
  expect(await reviews.earlierFindings(mine)).toEqual([]);

  const subjects = Array.from({ length: 258 }, subject);
  await database.review.createMany({
    data: subjects.map(({ createdAt, ...one }) => ({ ...one, createdAt: new Date(createdAt) })),
  });
  const others = subjects.map(({ submissionId }, index) => ({ submissionId, findingsSha256: findingsOf(index) }));
  // Written in another order than the builds.
  await database.reviewStep.createMany({
    data: others
      .map(({ submissionId, findingsSha256 }, index) => ({
        ...built,
        submissionId,
        at: at(800 - index),
        build: { findingsSha256 },
      }))
      .reverse(),
  });
  expect(await reviews.earlierFindings(mine)).toEqual(others.slice(0, 256));
  const [latest, next] = others;
  const seenByLatest = await reviews.earlierFindings(latest!.submissionId);
  expect(seenByLatest.slice(0, 2)).toEqual([{ submissionId: mine, findingsSha256: digest('a') }, next]);
});

it('The database refuses a revision that is not the next, a repeated decision, and any change of existing rows.', async () => {
  const { submissionId } = (await reviews.open(subject())).review;
  const row = { submissionId, trigger: 'plan_attached', state: 'queued', attempt: 0 };
  await expect(database.reviewStep.create({ data: { ...row, revision: 2 } })).rejects.toThrow();
  await database.reviewStep.create({ data: { ...row, revision: 1, decisionSha256: digest('9') } });
  await expect(
    database.reviewStep.create({ data: { ...row, revision: 2, decisionSha256: digest('9') } }),
  ).rejects.toThrow();
  for (const statement of [
    'UPDATE review_steps SET attempt = 7',
    'DELETE FROM review_steps',
    'TRUNCATE review_steps',
    'UPDATE reviews SET author = author',
  ])
    await expect(pool.query(statement)).rejects.toMatchObject({ code: '23000' });
  expect((await reviews.find(submissionId)).steps).toHaveLength(1);
});

it('The reviews are counted by the state of their last step, with the time when the oldest one entered it.', async () => {
  const countOf = async (state: string) =>
    (await reviews.countByState()).find((one) => one.state === state)?.count ?? 0;
  const before = { awaiting: await countOf('awaiting_plan'), running: await countOf('running') };
  const long = '2020-01-01T00:00:00.000Z';
  await reviews.open({ ...subject(), createdAt: long });
  const { submissionId } = (await reviews.open({ ...subject(), createdAt: long })).review;
  await reviews.move(moveOf(submissionId, 0, {}));
  await reviews.move(moveOf(submissionId, 1, { trigger: 'build_started', attempt: 1 }));
  const counts = await reviews.countByState();
  expect([await countOf('awaiting_plan'), await countOf('running')]).toEqual([before.awaiting + 1, before.running + 1]);
  expect(counts.find(({ state }) => state === 'awaiting_plan')!.oldest).toEqual(new Date(long));
  // A review of any age runs since its last step.
  const { steps } = await reviews.find(submissionId);
  expect(counts.find(({ state }) => state === 'running')!.oldest.getTime()).toBeLessThanOrEqual(steps[1]!.at.getTime());
  expect(counts.find(({ state }) => state === 'running')!.oldest.getTime()).toBeGreaterThan(Date.parse(long));
});
