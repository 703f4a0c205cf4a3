import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ModuleReviewStatus } from '@launch/contracts/modules';
import { sha256Digest, type Hex, type Sha256Digest } from '@launch/contracts/primitives';
import { RowShapeError } from '@launch/platform';
import type { GatewayDatabase } from '@launch/prisma-api-gateway';
import { CredentialRepository } from '../../../core/accounts/credentials/credential.repository.js';
import {
  SubmissionRepository,
  type NewSubmission,
  type SubmissionKey,
} from '../../../core/module-submissions/submission.repository.js';
import { openGatewayDatabase, type OpenedDatabase } from '../../../fixtures/gateway-database.js';
import { runSql } from '../../../fixtures/run-sql.js';
import { ReviewQueueRepository } from '../../reviewer/data/review-queue.repository.js';
import { ReviewRepository } from './review.repository.js';

const anyWallet = (): Hex => `0x${randomBytes(20).toString('hex')}`;
const anyWord = (): Hex => `0x${randomBytes(32).toString('hex')}`;
const anyDigest = (): Sha256Digest => sha256Digest(randomBytes(8));
const AT = new Date('2026-11-20T10:00:00.000Z');

let opened: OpenedDatabase;
let database: GatewayDatabase;
let submissions: SubmissionRepository;
let reviews: ReviewRepository;
let queue: ReviewQueueRepository;
const [credentialId, lineageId] = [randomUUID(), randomUUID()];
beforeAll(async () => {
  opened = await openGatewayDatabase();
  ({ database } = opened);
  submissions = new SubmissionRepository(database);
  reviews = new ReviewRepository(database);
  queue = new ReviewQueueRepository(database);
  await new CredentialRepository(database).insert({
    credentialId,
    lineageId,
    generation: 1,
    kind: 'wallet',
    origin: 'operator',
    controller: anyWallet(),
    allowedControllers: [],
    scopes: [],
    chains: [],
    label: null,
    secretMac: randomBytes(32),
    rotatedFrom: null,
    expiresAt: null,
  });
});
afterAll(() => opened.close());

const keyOf = (key: string = randomUUID()): SubmissionKey => ({ lineageId, route: 'POST /modules', key });
function draft(more: Partial<NewSubmission> = {}): NewSubmission {
  const author = more.author ?? anyWallet();
  const version = more.version ?? `1.0.${randomBytes(3).readUIntBE(0, 3)}`;
  const receivedAt = more.receivedAt ?? AT;
  const supersedes = more.supersedes ?? null;
  const shown = {
    name: 'a-module',
    version,
    family: 'a-family',
    author,
    supersedes,
    receivedAt: receivedAt.toISOString(),
  };
  return {
    key: keyOf(),
    credentialId,
    submissionId: randomUUID(),
    author,
    rewardWallet: author,
    family: 'a-family',
    familyId: anyWord(),
    version,
    packageId: anyWord(),
    requestDigest: anyDigest(),
    fileDigests: [],
    supersedes,
    receipt: JSON.stringify(shown),
    receivedAt,
    relayAfter: receivedAt,
    projection: '{"revision":0}',
    ...more,
  };
}
async function received(more: Partial<NewSubmission> = {}): Promise<NewSubmission> {
  const one = draft(more);
  expect(await submissions.receive(one)).toEqual({ kind: 'received' });
  return one;
}

describe('The repository of module submissions', () => {
  it('writes draft, key and first review together, and shows them to the author alone', async () => {
    const one = await received();
    const { submissionId, author, receipt, requestDigest, projection } = one;
    expect(await submissions.findByKey(one.key)).toEqual({ submissionId, bodySha256: requestDigest, receipt });
    expect(await submissions.findReceipt(submissionId, author)).toBe(receipt);
    expect(await submissions.receivedAt(submissionId, author)).toEqual(AT);
    expect(await submissions.findReview(submissionId, author)).toEqual({
      projection,
      receivedAt: AT,
      isReported: false,
      readiness: null,
    });
    for (const other of [anyWallet(), null])
      expect([
        await submissions.findReceipt(submissionId, other),
        await submissions.receivedAt(submissionId, other),
        await submissions.findReview(submissionId, other),
      ]).toEqual([null, null, null]);
    expect(await submissions.findByKey(keyOf())).toBeNull();
  });

  it('names the draft of the same package before one of the same version, and then an invalid lineage', async () => {
    const first = await received();
    const { author, family, submissionId } = first;
    const second = await received({ author });
    const cases: readonly [Partial<NewSubmission>, object][] = [
      [
        { author, version: second.version, packageId: first.packageId },
        { kind: 'package-known', submissionId },
      ],
      [
        { author, version: first.version, supersedes: randomUUID() },
        { kind: 'version-known', submissionId },
      ],
      [{ author, supersedes: randomUUID() }, { kind: 'lineage-invalid' }],
      [{ supersedes: submissionId }, { kind: 'lineage-invalid' }],
      [{ author, family: `${family}-2`, supersedes: submissionId }, { kind: 'lineage-invalid' }],
    ];
    for (const [more, conflict] of cases) {
      const one = draft(more);
      expect(await submissions.conflictOf(one)).toEqual(conflict);
      expect(await submissions.receive(one)).toEqual(conflict);
      // The refused draft leaves its key free.
      expect(await submissions.findByKey(one.key)).toBeNull();
    }
    const revision = draft({ author, supersedes: submissionId });
    expect([await submissions.conflictOf(revision), await submissions.receive(revision)]).toEqual([
      null,
      { kind: 'received' },
    ]);
    expect(await submissions.receive(draft({ author, supersedes: submissionId }))).toEqual({ kind: 'lineage-invalid' });
  });

  it('receives one of concurrent drafts with the same key, package or version', async () => {
    const author = anyWallet();
    const [key, packageId] = [keyOf(), anyWord()];
    const kindsOf = async (more: () => Partial<NewSubmission>) =>
      (await Promise.all(Array.from({ length: 4 }, () => submissions.receive(draft(more())))))
        .map(({ kind }) => kind)
        .sort();
    expect(await kindsOf(() => ({ key }))).toEqual(['key-taken', 'key-taken', 'key-taken', 'received']);
    expect(await kindsOf(() => ({ author, packageId }))).toEqual([
      ...Array.from({ length: 3 }, () => 'package-known'),
      'received',
    ]);
    expect(await kindsOf(() => ({ author, version: '9.0.0' }))).toEqual([
      'received',
      ...Array.from({ length: 3 }, () => 'version-known'),
    ]);
  });

  it('receives nothing under a revoked key', async () => {
    const one = draft({ credentialId: 'revoked' });
    expect(await submissions.receive(one)).toEqual({ kind: 'credential-revoked' });
    expect(await submissions.findReceipt(one.submissionId, one.author)).toBeNull();
  });

  it('lists pages of the newest drafts first, and drafts of one time by their ids', async () => {
    const author = anyWallet();
    const late = new Date(AT.getTime() + 1_000);
    const drafts: NewSubmission[] = [];
    for (const receivedAt of [AT, late, AT, late]) drafts.push(await received({ author, receivedAt }));
    const at = (time: Date) =>
      drafts.filter(({ receivedAt }) => receivedAt === time).sort((a, b) => (a.submissionId < b.submissionId ? -1 : 1));
    const expected = [...at(late), ...at(AT)];
    const first = await submissions.list(author, 2, null);
    expect(first).toEqual(expected.slice(0, 3).map(({ submissionId, receipt }) => ({ submissionId, receipt })));
    const second = await submissions.list(author, 2, expected[1] ?? null);
    expect(second.map(({ submissionId }) => submissionId)).toEqual(
      expected.slice(2).map(({ submissionId }) => submissionId),
    );
    expect([await submissions.list(author, 2, expected[3] ?? null), await submissions.list(null, 2, null)]).toEqual([
      [],
      [],
    ]);
  });
});

describe('The repository of reviews', () => {
  const statusOf = ({ submissionId }: NewSubmission, state: string, revision: number) =>
    ({ submissionId, review: { state, revision } }) as unknown as ModuleReviewStatus;
  const NO_EVIDENCE = { planSha256: null, findingsSha256: null };
  const rowOf = ({ submissionId }: NewSubmission) =>
    database.prisma.moduleReview.findUnique({ where: { submissionId } });
  const rest = () =>
    runSql(
      database,
      `UPDATE module_submission SET relay_after = now() + interval '1 hour' WHERE relay_after < 'infinity'`,
    );

  it('gives each due draft to one of several relays, the longest waiting first, and postpones it', async () => {
    await rest();
    const first = await received({ relayAfter: new Date(AT.getTime() - 1_000) });
    const others = [await received(), await received(), await received()];
    expect(await reviews.takeDue(1)).toEqual([
      {
        submissionId: first.submissionId,
        requestDigest: first.requestDigest,
        packageId: first.packageId,
        author: first.author,
        supersedes: null,
        createdAt: AT.toISOString(),
        isStarted: false,
        ageSeconds: expect.any(Number),
      },
    ]);
    const taken = (await Promise.all([reviews.takeDue(2), reviews.takeDue(2)])).flat();
    const left = await reviews.takeDue(5);
    expect([...taken, ...left].map(({ submissionId }) => submissionId).sort()).toEqual(
      others.map(({ submissionId }) => submissionId).sort(),
    );
  });

  it('rechecks a started review rarely, and soon after a failed start', async () => {
    const one = await received();
    const wait = async () =>
      (
        await runSql<{ seconds: number }>(
          database,
          'SELECT round(extract(epoch FROM relay_after - now()))::int AS seconds FROM module_submission WHERE submission_id = $1',
          [one.submissionId],
        )
      )[0]?.seconds;
    await reviews.noteStarted(one.submissionId);
    expect(await reviews.findOpen(one.submissionId)).toMatchObject({ isStarted: true });
    expect(await wait()).toBeGreaterThan(3_500);
    await reviews.retrySoon(one.submissionId, 30);
    await reviews.retrySoon(one.submissionId, 3_000);
    expect(await wait()).toBeLessThanOrEqual(30);
  });

  it('records a status unless a later one is recorded, and ends a review for ever', async () => {
    const one = await received();
    const evidence = { planSha256: anyDigest(), findingsSha256: anyDigest() };
    await reviews.record(statusOf(one, 'running', 3), '{"revision":3}', evidence, false);
    await reviews.record(statusOf(one, 'awaiting_plan', 2), '{"revision":2}', NO_EVIDENCE, false);
    await reviews.record(statusOf(one, 'awaiting_plan', 3), '{"revision":2}', NO_EVIDENCE, false);
    expect(await rowOf(one)).toMatchObject({
      state: 'running',
      revision: 3,
      projection: '{"revision":3}',
      ...evidence,
    });
    expect(await submissions.findReview(one.submissionId, one.author)).toMatchObject({ isReported: true });
    await reviews.record(statusOf(one, 'rejected', 4), '{"revision":4}', evidence, true);
    expect([await reviews.findOpen(one.submissionId), await reviews.findOpen(randomUUID())]).toEqual([null, null]);
    await reviews.noteStarted(one.submissionId);
    expect(await reviews.findOpen(one.submissionId)).toBeNull();
  });

  it('identifies a draft, and keeps the last report of the review worker with its time', async () => {
    const { submissionId, author, packageId, requestDigest } = await received();
    expect(await reviews.identityOf(submissionId)).toEqual({ packageId, requestDigest });
    expect(await reviews.identityOf(randomUUID())).toBeNull();
    expect(await submissions.readiness()).toBeNull();
    await reviews.recordReadiness('{"report":1}');
    await reviews.recordReadiness('{"report":2}');
    const readiness = await submissions.readiness();
    expect(readiness).toEqual({ document: '{"report":2}', reportedAt: expect.any(Date) });
    expect((await submissions.findReview(submissionId, author))?.readiness).toEqual(readiness);
  });

  it('refuses a row with a malformed package', async () => {
    const { submissionId } = await received({ packageId: 'no package' });
    await expect(reviews.findOpen(submissionId)).rejects.toThrow(RowShapeError);
    await runSql(database, `UPDATE module_submission SET relay_after = 'infinity' WHERE submission_id = $1`, [
      submissionId,
    ]);
  });
});

describe("The reviewers' repository", () => {
  const STATE = 'awaiting_plan' as const;
  const touch = ({ submissionId }: NewSubmission, at: string) =>
    runSql(database, 'UPDATE module_review SET updated_at = $2 WHERE submission_id = $1', [submissionId, at]);

  it('lists pages of several states by their time, and reviews of one time by their ids', async () => {
    const times = ['2020-01-02', '2020-01-01', '2020-01-02'];
    const drafts = await Promise.all(times.map(() => received()));
    for (const [index, one] of drafts.entries()) await touch(one, `${times[index]}T00:00:00.000Z`);
    const [second, first, third] = drafts.map(({ submissionId }) => submissionId) as [string, string, string];
    const page = await queue.queue([STATE, 'rejected'], 2, null);
    expect(page).toHaveLength(3);
    expect(page[0]).toEqual({
      submissionId: first,
      state: STATE,
      revision: 0,
      updatedAt: '2020-01-01T00:00:00.000Z',
      name: 'a-module',
      version: drafts[1]?.version,
      family: 'a-family',
      author: drafts[1]?.author,
      supersedes: null,
      receivedAt: AT.toISOString(),
    });
    expect(page.slice(1).map(({ submissionId }) => submissionId)).toEqual([second, third].sort());
    const [, after] = page;
    const next = await queue.queue([STATE], 1, after ?? null);
    expect(next[0]?.submissionId).toBe([second, third].sort()[1]);
    expect(await queue.queue(['accepted'], 2, null)).toEqual([]);
  });

  it('finds a submission with its review and its revisions', async () => {
    const first = await received();
    const next = await received({ author: first.author, supersedes: first.submissionId });
    expect(await queue.find(first.submissionId)).toEqual({
      submissionId: first.submissionId,
      requestDigest: first.requestDigest,
      supersedes: null,
      supersededBy: next.submissionId,
      receipt: first.receipt,
      projection: first.projection,
      revision: 0,
      planSha256: null,
      findingsSha256: null,
    });
    expect(await queue.find(next.submissionId)).toMatchObject({ supersedes: first.submissionId, supersededBy: null });
    expect(await queue.find(randomUUID())).toBeNull();
  });
});
