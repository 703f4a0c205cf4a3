import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ReviewDecision } from '@launch/contracts';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { errorOf, launchApi, type Answer } from '../launch-api.js';
import type { StackAccess } from '../stacks/own-stack.js';
import { useStack } from '../stacks/use-stack.js';
import {
  MODULE_SOURCE,
  openReviewDesk,
  REVIEWS,
  type Draft,
  type ReviewDesk,
} from '../fixtures/reviewed-module.fixture.js';

const STARTS_WITHIN_MS = 300_000;
const PAGE = '<script>document.title = "owned"</script>';
const FILES = { 'src/FeeModule.sol': MODULE_SOURCE, 'README.md': `${PAGE}\nbidi \u202e here\n` };

let stack: StackAccess;
let desk: ReviewDesk;
const told = (answer: Answer) => [answer.status, answer.status < 400 ? 'ok' : errorOf(answer).code];
const decide = async (draft: Draft, revision: number, given: Parameters<ReviewDesk['signed']>[2], by?: number) =>
  desk.change('POST', draft, 'decisions', revision, await desk.signed(draft, revision, given, desk.reviewers[by ?? 0]));

beforeAll(async () => {
  stack = await useStack('launches');
  desk = await openReviewDesk(stack);
}, STARTS_WITHIN_MS);

describe('the review of a module in the running product', () => {
  it('goes from a plan over findings to a decision, and the same plan of a later revision is another change', async () => {
    const broken = { ...FILES, 'src/FeeModule.sol': MODULE_SOURCE.replace('uint16', 'uint17x') };
    const draft = await desk.submit({ files: broken });
    await desk.until(draft, 'awaiting_plan');
    const plan = desk.plan(draft);
    const attach = (revision: number) => desk.change('PUT', draft, 'plan', revision, plan);
    await desk.started(draft);
    const attached = await attach(0);
    expect([attached.status, (await attach(0)).body]).toEqual([200, attached.body]);
    const failed = await desk.until(draft, 'build_failed');
    expect(failed.lastError?.code).toBe('COMPILER_ERROR');
    const again = await attach(failed.review.revision);
    expect([again.status, (again.body as { revision: number }).revision]).toEqual([200, failed.review.revision + 1]);
    const twice = await desk.until(draft, 'build_failed');
    const requeued = await desk.change('POST', draft, 'requeue', twice.review.revision);
    expect(told(requeued)).toEqual([200, 'ok']);
    const third = await desk.until(draft, 'build_failed');
    expect(told(await decide(draft, third.review.revision, { outcome: 'request_changes' }))).toEqual([200, 'ok']);

    const next = await desk.submit({
      files: FILES,
      author: await authorOf(draft),
      version: '2.0.0',
      supersedes: draft.submissionId,
    });
    await desk.until(next, 'awaiting_plan');
    await attachWhenThere(next);
    const { review, build } = await desk.until(next, 'built');
    const { artifactDigest, hostManifestDigest } = build!;
    const read = (route: string) => desk.reviewer.send('GET', `${REVIEWS}/${next.submissionId}${route}`);
    const [submission, findings, diff] = await Promise.all([read(''), read('/findings'), read('/diff')]);
    expect(submission.headers.get('etag')).toBe(`"${review.revision}"`);
    expect(submission.body).toMatchObject({ reviewerPolicyDigest: desk.policyDigest, files: [{}, {}] });
    expect((findings.body as { findingsSha256: unknown }).findingsSha256).not.toBeNull();
    expect(diff.body).toMatchObject({
      against: draft.submissionId,
      unchanged: 1,
      files: [{ path: 'src/FeeModule.sol', change: 'modified', hunks: [{ oldStart: 1, newStart: 1 }] }],
    });
    const accept: ReviewDecision = await desk.signed(next, review.revision, {
      outcome: 'accept',
      artifactDigest,
      hostManifestDigest,
    });
    const send = (body: unknown) => desk.change('POST', next, 'decisions', review.revision, body);
    expect(told(await send({ ...accept, outcome: 'reject' }))).toEqual([422, 'REVIEW_SIGNATURE_INVALID']);
    const accepted = await send(accept);
    expect(accepted.body).toMatchObject({ state: 'accepted', revision: review.revision + 1 });
    expect((await send(accept)).body).toEqual(accepted.body);
    expect(await desk.until(next, 'accepted')).toMatchObject({ approved: false, available: false });
    expect(told(await decide(next, review.revision + 1, { outcome: 'reject' }))).toEqual([409, 'REVIEW_STATE_INVALID']);
  });

  it('refuses by its code whatever is of another wallet, time, policy, build, revision or state', async () => {
    const reviewerWallet = desk.reviewers[1]!.address.toLowerCase();
    const draft = await desk.submit({ files: FILES, author: reviewerWallet });
    await desk.until(draft, 'awaiting_plan');
    await desk.started(draft);
    const plan = desk.plan(draft);
    const request = { outcome: 'request_changes' } as const;
    const digest = `sha256:${'1'.repeat(64)}` as const;
    const stranger = privateKeyToAccount(generatePrivateKey());
    const unconditional = await desk.reviewer.send('PUT', `${REVIEWS}/${draft.submissionId}/plan`, {
      body: JSON.stringify(plan),
    });
    const answers = [
      unconditional,
      await desk.change('PUT', draft, 'plan', 7, plan),
      await desk.change('POST', draft, 'requeue', 0),
      await desk.change('PUT', draft, 'plan', 0, { ...plan, submissionDigest: digest }),
      await decide(draft, 0, { ...request, reviewerPolicyDigest: digest }),
      await desk.change('POST', draft, 'decisions', 0, await desk.signed(draft, 0, request, stranger)),
      await decide(draft, 0, request, 1),
      await decide(draft, 0, { ...request, artifactDigest: digest }),
      await decide(draft, 0, { ...request, decidedAt: '1700000000' }),
      await desk.change('POST', draft, 'decisions', 0, await desk.signed(draft, 1, request)),
    ];
    expect(answers.map(told)).toEqual([
      [428, 'PRECONDITION_REQUIRED'],
      [412, 'REVISION_STALE'],
      [409, 'REVIEW_STATE_INVALID'],
      [422, 'PLAN_MISMATCH'],
      [422, 'REVIEW_POLICY_STALE'],
      [403, 'REVIEWER_NOT_AUTHORIZED'],
      [403, 'REVIEWER_IS_AUTHOR'],
      [422, 'REVIEW_EVIDENCE_MISMATCH'],
      [422, 'REVIEW_DECISION_EXPIRED'],
      [422, 'REVIEW_SIGNATURE_INVALID'],
    ]);
  });

  it('tells the reviewer and the author of a package that the profile cannot take', async () => {
    const filler = Array.from({ length: 45 }, (_, index) => [`f${index}.txt`, `${index}`.padEnd(100_000, '/')]);
    const draft = await desk.submit({ files: { ...FILES, ...Object.fromEntries(filler) } });
    await desk.until(draft, 'awaiting_plan');
    await desk.started(draft);
    expect(told(await desk.change('PUT', draft, 'plan', 0, desk.plan(draft)))).toEqual([
      422,
      'MODULE_BUILD_PROFILE_CAPACITY_EXCEEDED',
    ]);
    expect((await desk.until(draft, 'build_failed')).lastError?.code).toBe('MODULE_BUILD_PROFILE_CAPACITY_EXCEEDED');
  });
});

describe("the reviewers' listener", () => {
  it('is there for keys of reviewers alone, and its routes are on no other listener', async () => {
    const draft = await desk.submit({ files: FILES });
    const queue = '/v1/reviewer/queue?state=awaiting_plan';
    expect(told(await desk.reviewer.send('GET', queue))).toEqual([200, 'ok']);
    expect(told(await launchApi(stack.gateway, desk.reviewerKey).send('GET', queue))).toEqual([404, 'NOT_FOUND']);
    expect(told(await desk.reviewer.send('GET', '/v1/modules/submissions'))).toEqual([404, 'NOT_FOUND']);
    const author = await stack.issueKey({ scopes: ['modules:submit', 'modules:read'] });
    expect(told(await desk.reviewer.send('GET', queue, { key: author }))).toEqual([403, 'API_SCOPE_REQUIRED']);
    expect(told(await desk.reviewer.send('GET', queue, { key: null }))).toEqual([401, 'UNAUTHENTICATED']);
    const own = await launchApi(stack.gateway, desk.reviewerKey).send('GET', '/v1/modules/submissions');
    expect(told(own)).toEqual([403, 'API_SCOPE_REQUIRED']);
    const { paths } = (await launchApi(stack.gateway, '').send('GET', '/openapi.json', { key: null })).body as {
      paths: Record<string, unknown>;
    };
    expect(Object.keys(paths).filter((path) => path.includes('reviewer'))).toEqual([]);
    expect(draft.submissionId).toBeTruthy();
  });

  it('shows a file of HTML and script as text, its unseen characters by name, under a strict policy', async () => {
    const draft = await desk.submit({ files: FILES });
    await desk.until(draft, 'awaiting_plan');
    const base = stack.stack.reviewer;
    const signIn = (origin: string, key = desk.reviewerKey) =>
      fetch(`${base}/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin },
        body: JSON.stringify({ key }),
      });
    expect((await signIn('https://elsewhere.example')).status).toBe(401);
    const session = await signIn(base);
    const cookie = session.headers.get('set-cookie') ?? '';
    expect([session.status, cookie]).toEqual([204, expect.stringMatching(/; HttpOnly; Secure; SameSite=Strict$/)]);
    const headers = { cookie: cookie.split(';')[0]! };
    const { files } = (await (await fetch(`${base}${REVIEWS}/${draft.submissionId}`, { headers })).json()) as {
      files: { path: string; sha256: string }[];
    };
    const { sha256 } = files.find(({ path }) => path === 'README.md')!;
    const page = await fetch(`${base}/submissions/${draft.submissionId}/files/${sha256}`, { headers });
    const html = await page.text();
    expect(html).toContain('&lt;script&gt;document.title = &quot;owned&quot;&lt;/script&gt;');
    expect(html).toContain('>U+202E</span>');
    expect(html).not.toMatch(/\u202e|<script>|style=|onclick/);
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self';/,
    );
    const raw = await fetch(`${base}${REVIEWS}/${draft.submissionId}/files/${sha256}`, { headers });
    expect([raw.headers.get('content-type'), raw.headers.get('content-disposition'), await raw.text()]).toEqual([
      'application/octet-stream',
      'attachment',
      FILES['README.md'],
    ]);
    const foreign = await fetch(`${base}${REVIEWS}/${draft.submissionId}/requeue`, {
      method: 'POST',
      headers: { ...headers, origin: 'https://elsewhere.example', 'if-match': '0' },
    });
    expect(foreign.status).toBe(401);
    const away = await fetch(`${base}/`, { redirect: 'manual' });
    expect([away.status, away.headers.get('location')]).toEqual([303, '/sign-in']);
  });
});

/** A review begins a moment after its draft: until then there is no job to change. */
async function attachWhenThere(draft: Draft): Promise<void> {
  await desk.started(draft);
  expect(told(await desk.change('PUT', draft, 'plan', 0, desk.plan(draft)))).toEqual([200, 'ok']);
}

async function authorOf({ submissionId, author }: Draft): Promise<string> {
  return ((await author.send('GET', `/v1/modules/submissions/${submissionId}`)).body as { author: string }).author;
}
