import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { QueuedReview, ReviewQueue } from '@launch/contracts/modules';
import { REVIEW_STATES, type ReviewState } from '@launch/contracts/states';
import { MODULE_FILES, moduleSubmission } from '../../../../../../libs/contracts/src/modules/module-package.fixture.js';
import { startHarness, type Harness } from '../../../fixtures/gateway.harness.js';
import { call, codeOf, type Answer } from '../../../fixtures/http.client.js';
import { runSql } from '../../../fixtures/run-sql.js';
import { QUEUE } from '../data/review-queue.sql.js';
import { updateIdOf, type ReviewChange } from '../domain/review-updates.js';

const AUTHOR = `0x${'6'.repeat(40)}` as const;
const WAITING: readonly ReviewState[] = ['awaiting_plan', 'build_failed', 'built'];
/** More than a page of waiting reviews, and one of each other state. */
const STATES: readonly ReviewState[] = [
  ...Array.from({ length: 23 }, (_, index) => WAITING[index % WAITING.length]!),
  ...REVIEW_STATES.filter((state) => !WAITING.includes(state)),
];

let gateway: Harness;
let key: string;
let authorKey: string;
/** The submissions in the order of their intake. The second supersedes the first. */
/** The updates that the review received. */
const changes: ReviewChange[] = [];
let sent: { readonly submissionId: string; readonly state: ReviewState; readonly updatedAt: string }[];

async function submit(version: string, supersedes: string | null): Promise<string> {
  const body = { ...moduleSubmission(MODULE_FILES, { author: AUTHOR, version }), supersedes };
  const answer = await call(`${gateway.url}/v1/modules/submissions`, {
    key: authorKey,
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'idempotency-key': `module-${randomUUID()}` },
  });
  expect(answer.status).toBe(201);
  return answer.json.submissionId as string;
}

beforeAll(async () => {
  gateway = await startHarness({
    reviewUpdates: {
      change: async (_submissionId, change) => {
        changes.push(change);
        return { kind: 'moved', state: 'accepted', revision: 1 };
      },
    },
  });
  ({ key } = await gateway.issueKey(['modules:review']));
  ({ key: authorKey } = await gateway.issueKey(['modules:submit', 'modules:read'], AUTHOR));
  sent = [];
  for (const [index, state] of STATES.entries()) {
    const submissionId = await submit(`1.${index}.0`, index === 1 ? sent[0]!.submissionId : null);
    // Lists the reviews of a state, or those that wait for a reviewer.
    // @throws ApiError `CURSOR_INVALID`
    const updatedAt = new Date(Date.UTC(2026, 10, 24, 0, 59 - Math.floor(index / 2))).toISOString();
    await runSql(
      gateway.database,
      'UPDATE module_review SET state = $2, revision = revision + 1, updated_at = $3 WHERE submission_id = $1',
      [submissionId, state, updatedAt],
    );
    sent.push({ submissionId, state, updatedAt });
  }
});
afterAll(() => gateway.close());

const ask = (query = ''): Promise<Answer> => call(`${gateway.reviewerUrl}/v1/reviewer/queue${query}`, { key });
const queue = async (query = ''): Promise<ReviewQueue> => (await ask(query)).json as ReviewQueue;
const rowsOf = (items: readonly QueuedReview[]): object[] =>
  items.map(({ submissionId, state, updatedAt }) => ({ submissionId, state, updatedAt }));
/** Longest unchanged first, then by id. */
const inOrder = (states: readonly ReviewState[]): object[] =>
  sent
    .filter(({ state }) => states.includes(state))
    .sort((left, right) =>
      `${left.updatedAt}${left.submissionId}` < `${right.updatedAt}${right.submissionId}` ? -1 : 1,
    );

describe("The reviewers' queue", () => {
  it('The queue has the reviews that wait for a reviewer, longest unchanged first, in pages of 20 with a cursor.', async () => {
    const first = await queue();
    const second = await queue(`?cursor=${encodeURIComponent(first.nextCursor!)}`);
    expect([first.items.length, second.items.length, second.nextCursor]).toEqual([20, 3, null]);
    expect(rowsOf([...first.items, ...second.items])).toEqual(inOrder(WAITING));
  });

  it.each(REVIEW_STATES)('The queue has the reviews of state %s when they are requested.', async (state) => {
    const { items, nextCursor } = await queue(`?state=${state}`);
    expect([rowsOf(items), nextCursor]).toEqual([inOrder([state]), null]);
    expect(items.length).toBeGreaterThan(0);
  });

  it('A cursor is valid only for the list that it came with.', async () => {
    const { nextCursor } = await queue();
    const refused = await ask(`?state=built&cursor=${encodeURIComponent(nextCursor!)}`);
    expect([refused.status, codeOf(refused)]).toEqual([400, 'CURSOR_INVALID']);
  });

  it('A page continues after the last review of the page before, also when that review has changed.', async () => {
    const first = await queue();
    const last = first.items.at(-1)!;
    const write = (updatedAt: string) =>
      runSql(gateway.database, 'UPDATE module_review SET updated_at = $2 WHERE submission_id = $1', [
        last.submissionId,
        updatedAt,
      ]);
    await write('2026-11-25T00:00:00Z');
    const second = await queue(`?cursor=${encodeURIComponent(first.nextCursor!)}`);
    await write(last.updatedAt);
    expect(second.items.map(({ submissionId }) => submissionId)).toEqual([
      ...inOrder(WAITING)
        .slice(20)
        .map((one) => (one as QueuedReview).submissionId),
      last.submissionId,
    ]);
  });
});

it('A submission names the one that supersedes it, and its successor in the queue names it.', async () => {
  const [before, after] = sent as [(typeof sent)[0], (typeof sent)[0]];
  const read = async (id: string) => (await call(`${gateway.reviewerUrl}/v1/reviewer/submissions/${id}`, { key })).json;
  expect(await read(before.submissionId)).toMatchObject({
    supersededBy: after.submissionId,
    receipt: { supersedes: null },
  });
  expect(await read(after.submissionId)).toMatchObject({
    supersededBy: null,
    receipt: { supersedes: before.submissionId },
  });
  const { items } = await queue(`?state=${after.state}`);
  expect(items.find(({ submissionId }) => submissionId === after.submissionId)!.supersedes).toBe(before.submissionId);
});

it('A page of the queue reads one page of each state, however many reviews wait.', async () => {
  await runSql(gateway.database, 'ALTER TABLE module_submission DISABLE TRIGGER USER');
  const [waiting] = sent;
  await runSql(
    gateway.database,
    `INSERT INTO module_submission SELECT (s2).* FROM (
       SELECT jsonb_populate_record(s, jsonb_build_object('submission_id', gen_random_uuid(), 'package_id', '0x' || lpad(to_hex(n), 64, '0'),
         'version', '9.' || n || '.0', 'supersedes', NULL)) AS s2
       FROM module_submission s, generate_series(1, 5000) n WHERE s.submission_id = $1) made`,
    [waiting!.submissionId],
  );
  await runSql(
    gateway.database,
    `INSERT INTO module_review SELECT (r2).* FROM (
       SELECT jsonb_populate_record(r, jsonb_build_object('submission_id', s.submission_id, 'state', 'awaiting_plan')) AS r2
       FROM module_review r, module_submission s WHERE r.submission_id = $1 AND s.version LIKE '9.%') made
     ON CONFLICT DO NOTHING`,
    [waiting!.submissionId],
  );
  await runSql(gateway.database, 'ANALYZE module_review');
  const [counted] = await runSql<{ count: string }>(
    gateway.database,
    `SELECT count(*)::text FROM module_review WHERE state = 'awaiting_plan'`,
  );
  expect(Number(counted!.count)).toBeGreaterThan(5_000);
  const plan = await runSql<{ 'QUERY PLAN': unknown }>(
    gateway.database,
    `EXPLAIN (ANALYZE, FORMAT JSON) ${QUEUE.text}`.replaceAll(
      /\$([1-4])/g,
      (_, at: string) => ["ARRAY['awaiting_plan','built']", 'NULL', 'NULL', '21'][Number(at) - 1]!,
    ),
  );
  const most = [...JSON.stringify(plan).matchAll(/"Actual Rows":([\d.]+)/g)].map(([, rows]) => Number(rows));
  expect(Math.max(...most)).toBeLessThanOrEqual(63);
  expect((await queue()).items).toHaveLength(20);
});

describe('Signed decisions', () => {
  const R_AND_S = `${'5'.repeat(64)}${'1'.repeat(64)}`;
  const decide = (signature: string): Promise<Answer> =>
    call(`${gateway.reviewerUrl}/v1/reviewer/submissions/${sent[0]!.submissionId}/decisions`, {
      key,
      method: 'POST',
      headers: { 'if-match': '1' },
      body: JSON.stringify({
        outcome: 'reject',
        reason: 'It fails.',
        artifactDigest: null,
        hostManifestDigest: null,
        reviewerPolicyDigest: `sha256:${'4'.repeat(64)}`,
        reviewerWallet: AUTHOR,
        decidedAt: '1800000000',
        signature,
      }),
    });

  it('A signed decision is one change in every encoding.', async () => {
    changes.length = 0;
    for (const signature of [`0x${R_AND_S}1b`, `0x${R_AND_S}00`, `0x${R_AND_S}`])
      expect((await decide(signature)).status).toBe(200);
    expect(changes.map(({ name }) => name)).toEqual(['decide', 'decide', 'decide']);
    expect(new Set(changes.map((one) => updateIdOf(one))).size).toBe(1);
  });

  it.each([
    ['EIP-1271', `0x${R_AND_S}1b${R_AND_S}1b`],
    ['EIP-6492', `0x${R_AND_S}1b${'6492'.repeat(16)}`],
    ['EIP-2', `0x${R_AND_S.slice(0, 64)}${'f'.repeat(64)}1b`],
  ])('A signed decision in an unsupported encoding is refused with its name: %s.', async (named, signature) => {
    const refused = await decide(signature);
    expect([refused.status, codeOf(refused)]).toEqual([422, 'REVIEW_SIGNATURE_INVALID']);
    expect(JSON.stringify(refused.json)).toContain(named);
  });
});
