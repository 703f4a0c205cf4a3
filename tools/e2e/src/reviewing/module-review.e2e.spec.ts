import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BuildPlan, ReviewDecision } from '@launch/contracts/modules';
import { reviewWorkflowId } from '@launch/contracts/orchestration';
import { runReferenceModule } from '@launch/start';
import { connectTemporal, type TemporalClient } from '@launch/temporal';
import { locateTemporal } from '@launch/temporal-server';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { errorOf, launchApi, type Answer } from '../launch-api.js';
import type { StackAccess } from '../stacks/own-stack.js';
import { useStack } from '../stacks/use-stack.js';
import { historyOf, Sentinels } from '../fixtures/sentinels.fixture.js';
import {
  MODULE_SOURCE,
  openReviewDesk,
  REVIEWS,
  type Draft,
  type ReviewDesk,
} from '../fixtures/reviewed-module.fixture.js';

const STARTS_WITHIN_MS = 300_000;
const PATIENCE_MS = 180_000;
const PAGE = '<script>document.title = "owned"</script>';
const FILES = { 'src/FeeModule.sol': MODULE_SOURCE, 'README.md': `${PAGE}\nbidi \u202e here\n` };

/** A build that takes far longer than a second of processor time. */
const ENDLESS = `pragma solidity ^0.8.24;\ncontract Endless { ${Array.from({ length: 40 }, (_, at) => `function f${at}(uint256 x) public pure returns (uint256) { ${Array.from({ length: 400 }, (_, line) => `x = x * ${line + 3} + (x >> ${line % 200}) ^ (x / ${line + 7});`).join(' ')} return x; }`).join('\n')} }`;
const ENDLESS_TARGET = [{ path: 'src/Endless.sol', contract: 'Endless' }];

/** Texts that belong only in stored files, answers and secrets. */
const sentinels = new Sentinels();
const marker = (what: string): string => sentinels.plant(what, `Sentinel${randomBytes(16).toString('hex')}`);
/** A source whose path and text are searched for. */
const NAME = `${marker('path of a source')}.sol`;
const NAMED = `src/${NAME}`;
const withNamed = (body: string) => ({
  ...FILES,
  'src/FeeModule.sol': MODULE_SOURCE.replace('contract', `import './${NAME}';\ncontract`),
  [NAMED]: `pragma solidity ^0.8.24;\ncontract Named { ${body} }\n`,
});

let stack: StackAccess;
let desk: ReviewDesk;
let temporal: TemporalClient;
/** The submissions whose histories are searched. */
const reviewed: string[] = [];
const statusAndCode = (answer: Answer) => [answer.status, answer.status < 400 ? 'ok' : errorOf(answer).code];
const decide = async (draft: Draft, revision: number, given: Parameters<ReviewDesk['signed']>[2], by?: number) =>
  desk.change('POST', draft, 'decisions', revision, await desk.signed(draft, revision, given, desk.reviewers[by ?? 0]));

beforeAll(async () => {
  stack = await useStack('launches');
  desk = await openReviewDesk(stack);
  const { address, modulesNamespace: namespace } = stack.stack.temporal;
  temporal = await connectTemporal({ address, namespace });
}, STARTS_WITHIN_MS);
afterAll(() => temporal?.close());

describe('the review of a module in the running product', () => {
  it(
    'goes from a plan through findings to a decision, and the same plan of a later revision is another change',
    async () => {
      const broken = marker('name in a source that does not compile');
      const draft = await desk.submit({ files: withNamed(`uint17x ${broken};`) });
      reviewed.push(draft.submissionId);
      plantKey('key of an author', draft.key);
      await desk.until(draft, 'awaiting_plan');
      const plan = desk.plan(draft);
      const attach = (revision: number) => desk.change('PUT', draft, 'plan', revision, plan);
      await desk.started(draft);
      const attached = await attach(0);
      expect([attached.status, (await attach(0)).body]).toEqual([200, attached.body]);
      const failed = await desk.until(draft, 'build_failed');
      expect(failed.lastError).toMatchObject({ code: 'COMPILER_ERROR', message: expect.stringContaining(NAMED) });
      const again = await attach(failed.review.revision);
      expect([again.status, (again.body as { revision: number }).revision]).toEqual([200, failed.review.revision + 1]);
      const twice = await desk.until(draft, 'build_failed');
      const requeued = await desk.change('POST', draft, 'requeue', twice.review.revision);
      expect(statusAndCode(requeued)).toEqual([200, 'ok']);
      const third = await desk.until(draft, 'build_failed');
      expect(statusAndCode(await decide(draft, third.review.revision, { outcome: 'request_changes' }))).toEqual([
        200,
        'ok',
      ]);

      const elsewhere = await countConnections();
      const next = await desk.submit({
        files: withNamed(`uint16 ${marker('name in a source that compiles')};`),
        author: await authorOf(draft),
        version: '2.0.0',
        supersedes: draft.submissionId,
        repository: elsewhere.url,
      });
      reviewed.push(next.submissionId);
      await desk.until(next, 'awaiting_plan');
      await attachWhenThere(next);
      const { review, build } = await desk.until(next, 'built');
      expect(await listed(`ReviewState = 'built' AND ModuleSubmissionId = '${next.submissionId}'`)).toEqual([
        reviewWorkflowId(next.submissionId),
      ]);
      const { artifactDigest, hostManifestDigest } = build!;
      const read = (route: string) => desk.reviewer.send('GET', `${REVIEWS}/${next.submissionId}${route}`);
      const [submission, findings, diff] = await Promise.all([read(''), read('/findings'), read('/diff')]);
      expect(submission.headers.get('etag')).toBe(`"${review.revision}"`);
      expect(submission.body).toMatchObject({ reviewerPolicyDigest: desk.policyDigest, files: [{}, {}, {}] });
      expect((findings.body as { findingsSha256: unknown }).findingsSha256).not.toBeNull();
      expect(diff.body).toMatchObject({
        against: draft.submissionId,
        unchanged: 2,
        files: [{ path: NAMED, change: 'modified', hunks: [{ oldStart: 1, newStart: 1 }] }],
      });
      const accept: ReviewDecision = await desk.signed(next, review.revision, {
        outcome: 'accept',
        artifactDigest,
        hostManifestDigest,
      });
      const send = (body: unknown) => desk.change('POST', next, 'decisions', review.revision, body);
      expect(statusAndCode(await send({ ...accept, outcome: 'reject' }))).toEqual([422, 'REVIEW_SIGNATURE_INVALID']);
      const accepted = await send(accept);
      expect(accepted.body).toMatchObject({ state: 'accepted', revision: review.revision + 1 });
      expect((await send(accept)).body).toEqual(accepted.body);
      expect(await desk.until(next, 'accepted')).toMatchObject({ approved: false, available: false });
      expect(statusAndCode(await decide(next, review.revision + 1, { outcome: 'reject' }))).toEqual([
        409,
        'REVIEW_STATE_INVALID',
      ]);

      expect(elsewhere.count()).toBe(0);
      // The server counts the requests that it receives.
      await expect(fetch(elsewhere.url)).rejects.toThrow();
      expect(elsewhere.count()).toBe(1);
      await elsewhere.close();
    },
    2 * PATIENCE_MS,
  );

  it('leaves no key, source or path in the histories of its workflow and the logs of its services', async () => {
    plantKey('key of a reviewer', desk.reviewerKey);
    const [, signing = ''] = (await readFile(path.join(stack.dir, 'secrets', 'build-signing.pem'), 'utf8')).split('\n');
    sentinels.plant('build signing key', signing);
    const histories = await Promise.all(reviewed.map((id) => historyOf(temporal, reviewWorkflowId(id))));
    for (const seen of [...reviewed, 'COMPILER_ERROR', 'buildModule', 'changes_requested', 'accepted'])
      expect(histories.join('\n')).toContain(seen);
    expect(sentinels.foundIn(histories.join('\n'))).toEqual([]);
    for (const service of ['api-gateway', 'review-console', 'module-review', 'module-builder']) {
      const log = await readFile(path.join(stack.dir, 'logs', `${service}.log`));
      expect([service, log.includes(`"service":"${service}"`)]).toEqual([service, true]);
      expect([service, sentinels.foundIn(log)]).toEqual([service, []]);
    }
  });

  it('refuses by its code any change of another wallet, time, policy, build, revision or state', async () => {
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
    expect(answers.map(statusAndCode)).toEqual([
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

  it(
    'reports to the author by its code why a plan cannot be built',
    async () => {
      const settings: BuildPlan['settings'] = {
        optimizer: { enabled: true, runs: 200 },
        evmVersion: 'cancun',
        viaIR: true,
        metadata: { appendCBOR: true, bytecodeHash: 'ipfs' },
      };
      const limits = { cpuMs: 1_000, memoryPages: 2_048, outputBytes: 4 * 1_024 * 1_024 };
      const cases: readonly [string, Draft['files'], Partial<BuildPlan>][] = [
        ['TARGET_MISSING', FILES, { targets: [{ path: 'src/FeeModule.sol', contract: 'Absent' }] }],
        ['PLAN_MISMATCH', FILES, { standardJsonInputSha256: `sha256:${'2'.repeat(64)}` }],
        ['COMPILER_INPUT_INVALID', { ...FILES, 'src/Bytes.sol': Uint8Array.of(0xff, 0xfe, 0x00) }, {}],
        ['COMPILER_OUT_OF_MEMORY', FILES, { limits: { ...limits, cpuMs: 30_000, outputBytes: 1_024 } }],
        [
          'COMPILER_TIMEOUT',
          { ...FILES, 'src/Endless.sol': Buffer.from(ENDLESS) },
          { limits, settings, targets: ENDLESS_TARGET },
        ],
      ];
      const failing: (() => Promise<string | undefined>)[] = [];
      for (const [, files, given] of cases) {
        const draft = await desk.submit({ files });
        await desk.until(draft, 'awaiting_plan');
        await desk.started(draft);
        expect(statusAndCode(await desk.change('PUT', draft, 'plan', 0, desk.plan(draft, given)))).toEqual([200, 'ok']);
        failing.push(async () => (await desk.until(draft, 'build_failed')).lastError?.code);
      }
      expect(await Promise.all(failing.map((code) => code()))).toEqual(cases.map(([code]) => code));
    },
    2 * PATIENCE_MS,
  );

  it('reports to reviewer and author a package that exceeds the build profile', async () => {
    const filler = Array.from({ length: 45 }, (_, index) => [`f${index}.txt`, `${index}`.padEnd(100_000, '/')]);
    const draft = await desk.submit({ files: { ...FILES, ...Object.fromEntries(filler) } });
    await desk.until(draft, 'awaiting_plan');
    await desk.started(draft);
    expect(statusAndCode(await desk.change('PUT', draft, 'plan', 0, desk.plan(draft)))).toEqual([
      422,
      'MODULE_BUILD_PROFILE_CAPACITY_EXCEEDED',
    ]);
    expect((await desk.until(draft, 'build_failed')).lastError?.code).toBe('MODULE_BUILD_PROFILE_CAPACITY_EXCEEDED');
  });
});

it('The published client takes the reference module through its seven stages, up to the registry.', async () => {
  const workDir = await mkdtemp(path.join(tmpdir(), 'reference-module-'));
  try {
    const stages: [string, string | undefined][] = [];
    const onStage = (name: string, _milliseconds: number, detail?: string): void => void stages.push([name, detail]);
    const { submissionId, status } = await runReferenceModule({ stack: stack.stack, workDir, onStage });
    const wallet = desk.reviewers[0]!.address.toLowerCase();
    expect(stages.map(([name]) => name)).toEqual([
      'prepared',
      'submitted 201',
      'replayed 200',
      'plan attached',
      'built twice',
      `accepted by ${wallet}`,
      'await_registry_admission',
    ]);
    expect(stages[1]![1]).toBe(submissionId);
    expect(stages[4]![1]).toBe(`equal ${status.build!.artifactDigest}`);
    expect(status).toMatchObject({ review: { state: 'accepted' }, decision: { reviewerWallet: wallet } });
    expect(wallet).not.toBe(stack.controller);
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
});

describe("the reviewers' listener", () => {
  it('accepts only keys of reviewers, and its routes are on no other listener', async () => {
    const draft = await desk.submit({ files: FILES });
    const queue = '/v1/reviewer/queue?state=awaiting_plan';
    expect(statusAndCode(await desk.reviewer.send('GET', queue))).toEqual([200, 'ok']);
    expect(statusAndCode(await launchApi(stack.gateway, desk.reviewerKey).send('GET', queue))).toEqual([
      404,
      'NOT_FOUND',
    ]);
    expect(statusAndCode(await desk.reviewer.send('GET', '/v1/modules/submissions'))).toEqual([404, 'NOT_FOUND']);
    const author = await stack.issueKey({ scopes: ['modules:submit', 'modules:read'] });
    expect(statusAndCode(await desk.reviewer.send('GET', queue, { key: author }))).toEqual([403, 'API_SCOPE_REQUIRED']);
    expect(statusAndCode(await desk.reviewer.send('GET', queue, { key: null }))).toEqual([401, 'UNAUTHENTICATED']);
    const own = await launchApi(stack.gateway, desk.reviewerKey).send('GET', '/v1/modules/submissions');
    expect(statusAndCode(own)).toEqual([403, 'API_SCOPE_REQUIRED']);
    const { paths } = (await launchApi(stack.gateway, '').send('GET', '/openapi.json', { key: null })).body as {
      paths: Record<string, unknown>;
    };
    expect(Object.keys(paths).filter((path) => path.includes('reviewer'))).toEqual([]);
    expect(draft.submissionId).toBeTruthy();
  });

  it('shows a file of HTML and script as text, and its invisible characters by name, under a strict policy', async () => {
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

/** The secret of a key follows its id. */
function plantKey(name: string, key: string): void {
  sentinels.plant(name, key.split('_').slice(2).join('_'));
}

/** Listens at the address of a redirect and counts the requests. */
async function countConnections() {
  let count = 0;
  const server = createServer((socket) => {
    count += 1;
    socket.on('error', () => undefined).destroy();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/module.git`,
    count: () => count,
    close: () => new Promise<void>((closed) => void server.close(() => closed())),
  };
}

/** Returns the ids of the workflows that Temporal's command line lists by a query, once it lists one. */
async function listed(query: string): Promise<string[]> {
  const { program } = await locateTemporal();
  const { address, modulesNamespace } = stack.stack.temporal;
  const at = ['--address', address, '--namespace', modulesNamespace, '--output', 'json'];
  for (const end = Date.now() + PATIENCE_MS; ; await new Promise((go) => setTimeout(go, 200))) {
    const { stdout } = await promisify(execFile)(program, ['workflow', 'list', '--query', query, ...at]);
    const found = JSON.parse(stdout || '[]') as { execution: { workflowId: string } }[];
    if (found.length > 0) return found.map(({ execution }) => execution.workflowId);
    if (Date.now() > end) throw new Error(`nothing is listed by ${query}`);
  }
}

/** A review begins a moment after its draft; until then there is no job to change. */
async function attachWhenThere(draft: Draft): Promise<void> {
  await desk.started(draft);
  expect(statusAndCode(await desk.change('PUT', draft, 'plan', 0, desk.plan(draft)))).toEqual([200, 'ok']);
}

async function authorOf({ submissionId, author }: Draft): Promise<string> {
  return ((await author.send('GET', `/v1/modules/submissions/${submissionId}`)).body as { author: string }).author;
}
