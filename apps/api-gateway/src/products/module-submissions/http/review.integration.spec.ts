import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { canonicalizeJson } from '@launch/contracts/json';
import { moduleReviewStatusSchema, reviewStatusOf } from '@launch/contracts/modules';
import type { Sha256Digest } from '@launch/contracts/primitives';
import { nextActionOf, type ReviewState } from '@launch/contracts/states';
import { MODULE_FILES, moduleSubmission } from '../../../../../../libs/contracts/src/modules/module-package.fixture.js';
import { startHarness, type Harness } from '../../../fixtures/gateway.harness.js';
import { call, type Answer } from '../../../fixtures/http.client.js';
import { runSql } from '../../../fixtures/run-sql.js';

/** The members of a status without documents of reviewers. */
const UNREPORTED = { planSha256: null, findingsSha256: null };

const SUBMISSIONS = '/v1/modules/submissions';
const READY = {
  databaseReady: true,
  workerAuthorityReady: true,
  reviewerPolicyDigest: `sha256:${'a'.repeat(64)}` as Sha256Digest,
  workerSourceCommit: 'b'.repeat(40),
};

let gateway: Harness;
beforeAll(async () => {
  gateway = await startHarness();
});
afterAll(() => gateway.close());

/** Submits a draft by a new author. */
async function submitted() {
  const author = `0x${createHash('sha256').update(randomUUID()).digest('hex').slice(0, 40)}` as const;
  const { key } = await gateway.issueKey(['modules:submit', 'modules:read'], author);
  const answer = await call(gateway.url + SUBMISSIONS, {
    key,
    method: 'POST',
    body: JSON.stringify(moduleSubmission(MODULE_FILES, { author })),
    headers: { 'idempotency-key': `module-${randomUUID()}` },
  });
  expect(answer.status).toBe(201);
  const { submissionId, requestDigest, packageId } = answer.json;
  const review = (): Promise<Answer> => call(`${gateway.url}${SUBMISSIONS}/${submissionId}/review`, { key });
  const receipt = (): Promise<Answer> => call(`${gateway.url}${SUBMISSIONS}/${submissionId}`, { key });
  return { submissionId: submissionId as string, requestDigest, packageId, author, answer, review, receipt };
}
type Submitted = Awaited<ReturnType<typeof submitted>>;

/** Stores a status of the draft as the review would. */
async function status(
  { submissionId, requestDigest, packageId }: Submitted,
  state: ReviewState,
  revision: number,
  other: object = {},
): Promise<Sha256Digest> {
  const at = '2026-11-23T06:00:00.000Z';
  const report = reviewStatusOf({ submissionId, packageId, requestDigest, createdAt: at }, []);
  const review = { ...report.review, state, revision, nextAction: nextActionOf(state) };
  return gateway.blobs.put(canonicalizeJson({ ...report, review, ...other }));
}
const due = async (submissionId: string): Promise<string> => {
  const [row] = await runSql<{ due: string }>(
    gateway.database,
    'SELECT relay_after::text AS due FROM module_submission WHERE submission_id = $1',
    [submissionId],
  );
  return row!.due;
};
const makeDue = (submissionId: string) =>
  runSql(gateway.database, 'UPDATE module_submission SET relay_after = now() WHERE submission_id = $1', [submissionId]);
const startsOf = ({ submissionId }: Submitted) =>
  gateway.workflows.reviews.filter((subject) => subject.submissionId === submissionId);

describe('The review of a draft', () => {
  it('is started right after the draft is durable, with the identity of the draft and none of its content', async () => {
    const draft = await submitted();
    while (startsOf(draft).length === 0) await new Promise(setImmediate);
    expect(startsOf(draft)).toEqual([
      {
        submissionId: draft.submissionId,
        requestDigest: draft.requestDigest,
        packageId: draft.packageId,
        author: draft.author,
        supersedes: null,
        createdAt: draft.answer.json.receivedAt,
      },
    ]);
  });

  it('is started once when its start gave way to a request until it was due', async () => {
    const request = Promise.withResolvers<void>();
    const served = gateway.relay.first(() => request.promise);
    const draft = await submitted();
    await makeDue(draft.submissionId);
    await gateway.relay.sweep();
    request.resolve();
    await served;
    while (startsOf(draft).length === 0) await new Promise(setImmediate);
    await gateway.relay.sweep();
    expect(startsOf(draft)).toHaveLength(1);
  });

  it('is started by a sweep when Temporal was away, and rechecked until its end', async () => {
    gateway.workflows.down = true;
    const draft = await submitted();
    await gateway.relay.sweep();
    expect(startsOf(draft)).toEqual([]);
    gateway.workflows.down = false;
    for (const starts of [1, 2]) {
      while (startsOf(draft).length < starts) {
        await makeDue(draft.submissionId);
        await gateway.relay.sweep();
      }
    }
    await gateway.reviews.recordReview({
      ...UNREPORTED,
      submissionId: draft.submissionId,
      revision: 1,
      statusSha256: await status(draft, 'rejected', 1),
    });
    expect(await due(draft.submissionId)).toBe('infinity');
    await gateway.relay.move({ kind: 'module-submission', id: draft.submissionId });
    expect(startsOf(draft)).toHaveLength(2);
  });

  it('is shown as last reported, despite late or repeated reports, and the receipt stays', async () => {
    await gateway.reviews.recordReviewReadiness(READY);
    const draft = await submitted();
    const { submissionId } = draft;
    for (const [state, revision, shown] of [
      ['awaiting_plan', 0, 'awaiting_plan'],
      ['built', 3, 'built'],
      ['queued', 1, 'built'],
      ['built', 3, 'built'],
      ['accepted', 4, 'accepted'],
    ] as const) {
      await gateway.reviews.recordReview({
        ...UNREPORTED,
        submissionId,
        revision,
        statusSha256: await status(draft, state, revision),
      });
      const { review, ...facts } = moduleReviewStatusSchema.parse((await draft.review()).json);
      expect(review.state).toBe(shown);
      expect(facts).toMatchObject({
        approved: false,
        available: false,
        runtimeVerified: false,
        sourceRevisionVerified: false,
      });
    }
    expect((await draft.receipt()).text).toBe(draft.answer.text);
  });

  it('is never taken from a document about another subject', async () => {
    const draft = await submitted();
    const other = await submitted();
    const { submissionId } = draft;
    const record = async (statusSha256: Promise<Sha256Digest>, revision = 1, id = submissionId) =>
      gateway.reviews.recordReview({ ...UNREPORTED, submissionId: id, revision, statusSha256: await statusSha256 });
    const mismatch = (field: string) => ({ code: 'PROJECTION_MISMATCH', field });
    await expect(record(status(other, 'queued', 1))).rejects.toMatchObject(mismatch('submissionId'));
    await expect(record(status(draft, 'queued', 1), 2)).rejects.toMatchObject(mismatch('review.revision'));
    await expect(
      record(status(draft, 'queued', 1, { requestDigest: READY.reviewerPolicyDigest })),
    ).rejects.toMatchObject(mismatch('requestDigest'));
    await expect(record(status(draft, 'queued', 1, { approved: true }))).rejects.toMatchObject({
      code: 'DOCUMENT_INVALID',
    });
    await expect(record(status(draft, 'queued', 1), 1, randomUUID())).rejects.toMatchObject({ code: 'LAUNCH_UNKNOWN' });
  });

  it('without a job after a minute is a fault of the service, not a state', async () => {
    const draft = await submitted();
    const read = async () => {
      const { status: code, json } = await draft.review();
      return [code, json.error?.code];
    };
    try {
      gateway.clock.shiftMs = 61_000;
      await runSql(gateway.database, `UPDATE module_review_readiness SET reported_at = now() + interval '61 seconds'`);
      expect(await read()).toEqual([503, 'MODULE_REVIEW_JOB_UNAVAILABLE']);
      await gateway.reviews.recordReview({
        ...UNREPORTED,
        submissionId: draft.submissionId,
        revision: 0,
        statusSha256: await status(draft, 'awaiting_plan', 0),
      });
      expect(await read()).toEqual([200, undefined]);
    } finally {
      gateway.clock.shiftMs = 0;
    }
  });
});

describe('The readiness of the review', () => {
  const shown = async () => (await call(`${gateway.url}/v1/modules/review-capabilities`)).json;

  it.each([
    [{}, { reviewAvailable: true, statusReadAvailable: true }],
    [
      { workerAuthorityReady: false, workerSourceCommit: null },
      { reviewAvailable: false, statusReadAvailable: true },
    ],
    [{ databaseReady: false }, { reviewAvailable: false, statusReadAvailable: false }],
    [{ reviewerPolicyDigest: null }, { reviewAvailable: false, statusReadAvailable: true }],
  ])('follows the report %j: %j', async (report, expected) => {
    await gateway.reviews.recordReviewReadiness({ ...READY, ...report });
    expect(await shown()).toMatchObject({ ...READY, ...report, ...expected, approved: false, available: false });
  });
});
