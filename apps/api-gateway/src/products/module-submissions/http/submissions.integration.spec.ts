import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createHash, randomUUID } from 'node:crypto';
import { moduleReviewCapabilitiesSchema, moduleReviewStatusSchema } from '@launch/contracts/modules';
import { startHarness, type Harness } from '../../../fixtures/gateway.harness.js';
import { call, type Answer } from '../../../fixtures/http.client.js';
import { runSql } from '../../../fixtures/run-sql.js';
import type { modulePackage } from '../../../../../../libs/contracts/src/modules/module-package.fixture.js';
import { MODULE_FILES, moduleSubmission } from '../../../../../../libs/contracts/src/modules/module-package.fixture.js';
import { DEFAULT_MODULE_INTAKE } from '../domain/module-intake.js';

const SUBMISSIONS = '/v1/modules/submissions';
const RENAMED = { ...MODULE_FILES, 'src/Other.sol': '// other\n' };

let gateway: Harness;
/** The same database with intake off. */
let closed: Harness;
let author: string;
let key: string;

beforeAll(async () => {
  gateway = await startHarness();
  closed = await startHarness({ beside: gateway, moduleIntake: { ...DEFAULT_MODULE_INTAKE, submissions: false } });
});
afterAll(async () => {
  await closed.close();
  await gateway.close();
});
// A new wallet for each test, so that no test meets the drafts of another.
beforeEach(async () => {
  author = `0x${createHash('sha256').update(randomUUID()).digest('hex').slice(0, 40)}`;
  ({ key } = await gateway.issueKey(['modules:submit', 'modules:read'], author));
});

type Submission = ReturnType<typeof moduleSubmission>;

const draft = (more: Parameters<typeof modulePackage>[1] = {}, files = MODULE_FILES): Submission =>
  moduleSubmission(files, { author: author as `0x${string}`, ...more });
const newKey = (): string => `module-${randomUUID()}`;
const submit = (body: unknown, idempotencyKey = newKey(), server = gateway, bearer = key): Promise<Answer> =>
  call(server.url + SUBMISSIONS, {
    key: bearer,
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'idempotency-key': idempotencyKey },
  });
const get = (path: string, server = gateway, bearer: string | undefined = key): Promise<Answer> =>
  call(server.url + path, bearer === undefined ? {} : { key: bearer });
const outcomeOf = ({ status, json }: Answer): unknown => [status, json.error?.code];
const findingsOf = ({ json }: Answer): unknown =>
  json.error.findings.map(({ code, path }: { code: string; path: string }) => [code, path]);

describe('A module draft', () => {
  it('is answered with one receipt by create, replay, read and list, also with intake off', async () => {
    const body = JSON.stringify(draft(), null, 1);
    const idempotencyKey = newKey();
    const created = await submit(body, idempotencyKey);
    expect(created.status).toBe(201);
    const { submissionId } = created.json;
    expect(created.json).toMatchObject({
      schemaVersion: 'service.modules.api.v0.1',
      status: 'draft_received',
      reviewStatus: 'unreviewed',
      approved: false,
      available: false,
      author,
      supersedes: null,
      fileCount: Object.keys(MODULE_FILES).length,
      byteCount: Object.values(MODULE_FILES).reduce((sum, text) => sum + Buffer.byteLength(text), 0),
      requestDigest: `sha256:${createHash('sha256').update(body).digest('hex')}`,
    });
    expect(created.headers.get('location')).toBe(`${SUBMISSIONS}/${submissionId}`);
    for (const server of [gateway, closed]) {
      const replayed = await submit(body, idempotencyKey, server);
      expect([replayed.status, replayed.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
      const read = await get(`${SUBMISSIONS}/${submissionId}`, server);
      const list = await get(SUBMISSIONS, server);
      expect([replayed.text, read.text]).toEqual([created.text, created.text]);
      expect(list.text).toBe(
        `{"items":[${created.text}],"nextCursor":null,"schemaVersion":"service.modules.submission-list.v0.1"}`,
      );
    }
    // The request and each file are stored as blobs.
    expect(Buffer.from(await gateway.blobs.get(created.json.requestDigest)).toString()).toBe(body);
    for (const { sha256, contentBase64 } of draft().files)
      expect(Buffer.from(await gateway.blobs.get(`sha256:${sha256.slice(-64)}`)).toString('base64')).toBe(
        contentBase64,
      );
  });

  it('stays as received, despite writes to its row', async () => {
    const created = await submit(draft());
    const { submissionId } = created.json;
    const write = (sql: string) => runSql(gateway.database, sql, sql.includes('$1') ? [submissionId] : []);
    for (const statement of [
      "UPDATE module_submission SET receipt = '{}' WHERE submission_id = $1",
      'UPDATE module_submission SET supersedes = submission_id WHERE submission_id = $1',
      'DELETE FROM module_submission WHERE submission_id = $1',
      'TRUNCATE module_submission CASCADE',
    ])
      await expect(write(statement)).rejects.toMatchObject({ code: '23000' });
    // The columns of the relay may change, and a started review stays started.
    await write(
      'UPDATE module_submission SET relay_after = now(), review_started_at = coalesce(review_started_at, now()) WHERE submission_id = $1',
    );
    await expect(
      write('UPDATE module_submission SET review_started_at = NULL WHERE submission_id = $1'),
    ).rejects.toMatchObject({ code: '23000' });
    expect((await get(`${SUBMISSIONS}/${submissionId}`)).text).toBe(created.text);
  });

  it('is refused under a new key before its body is read while intake is off', async () => {
    const refused = await submit('{', newKey(), closed);
    expect(outcomeOf(refused)).toEqual([503, 'MODULE_SUBMISSIONS_UNAVAILABLE']);
    expect((await get('/v1/modules/capabilities', closed)).json).toMatchObject({
      moduleContributions: { submissions: false },
      operations: { submit: false, read: true },
    });
  });

  it('is received once when one key sends it many times at once through two gateways', async () => {
    const other = await startHarness({ beside: gateway });
    try {
      const body = draft();
      const idempotencyKey = newKey();
      const answers = await Promise.all(
        Array.from({ length: 64 }, (_, index) => submit(body, idempotencyKey, index % 2 === 0 ? gateway : other)),
      );
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(63);
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    } finally {
      await other.close();
    }
  });

  it('gets one successor of two that arrive at once', async () => {
    const first = await submit(draft());
    const supersedes = first.json.submissionId as string;
    const answers = await Promise.all(
      ['2.0.0', '3.0.0'].map((version) => submit({ ...draft({ version }), supersedes })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422]);
    const lost = answers.find(({ status }) => status === 422)!;
    expect([outcomeOf(lost), findingsOf(lost)]).toEqual([
      [422, 'MODULE_REVISION_LINEAGE_INVALID'],
      [['MODULE_REVISION_LINEAGE_INVALID', '/supersedes']],
    ]);
    expect((await get(`${SUBMISSIONS}/${supersedes}`)).text).toBe(first.text);
  });

  it('is checked for conflicts of key, package, version and lineage in this order', async () => {
    const idempotencyKey = newKey();
    const first = await submit(draft(), idempotencyKey);
    const statusUrl = `${SUBMISSIONS}/${first.json.submissionId}`;
    const supersedes = randomUUID();
    const cases: readonly (readonly [Answer, number, string, string | null])[] = [
      // Also for unreadable bytes, and for those of the same package.
      [await submit('{', idempotencyKey), 409, 'MODULE_IDEMPOTENCY_CONFLICT', statusUrl],
      [await submit({ ...draft(), supersedes }, idempotencyKey), 409, 'MODULE_IDEMPOTENCY_CONFLICT', statusUrl],
      [await submit({ ...draft(), supersedes }), 409, 'MODULE_PACKAGE_CONFLICT', statusUrl],
      [await submit({ ...draft({}, RENAMED), supersedes }), 409, 'MODULE_VERSION_ALREADY_SUBMITTED', statusUrl],
      [await submit({ ...draft({ version: '9.0.0' }), supersedes }), 422, 'MODULE_REVISION_LINEAGE_INVALID', null],
      [
        await submit({ ...draft({ version: '9.0.0', family: 'another' }), supersedes: first.json.submissionId }),
        422,
        'MODULE_REVISION_LINEAGE_INVALID',
        null,
      ],
    ];
    for (const [answer, status, code, url] of cases)
      expect([...(outcomeOf(answer) as unknown[]), answer.json.error.statusUrl]).toEqual([status, code, url]);
    // None of them left a row or a bound key.
    expect((await get(SUBMISSIONS)).json.items).toHaveLength(1);
  });

  it('reports every fault of its content at once', async () => {
    const body = draft();
    const [file] = body.files;
    body.package.rewardWallet = `0x${'0'.repeat(40)}`;
    file!.contentBase64 = Buffer.from('something else').toString('base64');
    const stranger = `0x${'7'.repeat(40)}`;
    const refused = await submit({ ...body, package: { ...body.package, author: stranger } });
    expect([outcomeOf(refused), findingsOf(refused)]).toEqual([
      [403, 'MODULE_AUTHOR_MISMATCH'],
      [
        ['MODULE_AUTHOR_MISMATCH', '/package/author'],
        ['OPEN_ADDRESS', '/package/rewardWallet'],
        ['MODULE_FILE_HASH', '/files/0/sha256'],
      ],
    ]);
    expect(outcomeOf(await submit(draft({ author: stranger as `0x${string}` })))).toEqual([
      403,
      'MODULE_AUTHOR_MISMATCH',
    ]);
    const unpinned = draft();
    unpinned.package.source.files.pop();
    expect(outcomeOf(await submit(unpinned))).toEqual([422, 'OPEN_SOURCE_HASH']);
  });

  it('reports a malformed version beside addresses, hashes and paths', async () => {
    const body = draft({ version: 'one', author: `0x${'0'.repeat(40)}` }, { ...MODULE_FILES, '../up.sol': 'x' });
    body.files[0]!.contentBase64 = Buffer.from('something else').toString('base64');
    const refused = await submit(body);
    expect([outcomeOf(refused), findingsOf(refused)]).toEqual([
      [422, 'OPEN_ADDRESS'],
      [
        ['OPEN_ADDRESS', '/package/author'],
        ['SCHEMA_INVALID', '/package/version'],
        ['MODULE_FILE_HASH', '/files/0/sha256'],
        ['MODULE_PATH_INVALID', '/files/2/path'],
        ['MODULE_PATH_INVALID', '/package/source/files/2/path'],
      ],
    ]);
    // The owner of a key is named beside every other fault.
    const foreign = await submit(draft({ version: 'one', author: `0x${'7'.repeat(40)}` }));
    expect([outcomeOf(foreign), findingsOf(foreign)]).toEqual([
      [403, 'MODULE_AUTHOR_MISMATCH'],
      [
        ['MODULE_AUTHOR_MISMATCH', '/package/author'],
        ['SCHEMA_INVALID', '/package/version'],
      ],
    ]);
  });

  it('is refused beyond the lower limits that a deployment publishes', async () => {
    const limits = { maxFiles: 1, maxFileBytes: 4, maxTotalBytes: 8, maxRequestBytes: 100_000 };
    const small = await startHarness({ beside: gateway, moduleIntake: { submissions: true, limits } });
    try {
      expect((await get('/v1/modules/capabilities', small)).json.moduleContributions).toEqual({
        submissions: true,
        ...limits,
      });
      expect(outcomeOf(await submit(draft({}, RENAMED), newKey(), small))).toEqual([422, 'MODULE_LIMIT_EXCEEDED']);
      expect(outcomeOf(await submit(' '.repeat(100_001), newKey(), small))).toEqual([413, 'REQUEST_TOO_LARGE']);
    } finally {
      await small.close();
    }
  });

  it('counts new drafts alone: 6 an hour, while replays continue', async () => {
    const module6 = { quantity: 6, windowSeconds: 3_600, burst: 6 };
    const counted = await startHarness({ beside: gateway, quotas: { 'module-create': module6 } });
    try {
      const bodies = Array.from({ length: 7 }, (_, index) => [draft({ version: `1.0.${index}` }), newKey()] as const);
      const answers: Answer[] = [];
      for (const [body, idempotencyKey] of bodies) answers.push(await submit(body, idempotencyKey, counted));
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 201, 429]);
      expect(answers[6]!.json.error.retryAfterSeconds).toBeGreaterThan(0);
      expect((await submit(...bodies[0]!, counted)).status).toBe(200);
    } finally {
      await counted.close();
    }
  });

  it('uses no quota and leaves no bytes when it conflicts with another draft', async () => {
    const two = { quantity: 2, windowSeconds: 3_600, burst: 2 };
    const counted = await startHarness({ beside: gateway, quotas: { 'module-create': two } });
    try {
      const first = draft();
      expect((await submit(first, newKey(), counted)).status).toBe(201);
      const conflicts = [
        [first, 'MODULE_PACKAGE_CONFLICT'],
        [draft({}, { ...MODULE_FILES, 'src/Unkept.sol': `// ${author}\n` }), 'MODULE_VERSION_ALREADY_SUBMITTED'],
        [{ ...draft({ version: '2.0.0' }), supersedes: randomUUID() }, 'MODULE_REVISION_LINEAGE_INVALID'],
      ] as const;
      for (const [body, code] of conflicts) {
        const bytes = JSON.stringify(body, null, 2);
        expect(outcomeOf(await submit(bytes, newKey(), counted))).toEqual([expect.any(Number), code]);
        const digest = createHash('sha256').update(bytes).digest('hex');
        await expect(counted.blobs.get(`sha256:${digest}`)).rejects.toMatchObject({ code: 'BLOB_ABSENT' });
      }
      // The second of two is still there, and there is no third.
      expect((await submit(draft({ version: '2.0.0' }), newKey(), counted)).status).toBe(201);
      expect((await submit(draft({ version: '3.0.0' }), newKey(), counted)).status).toBe(429);
    } finally {
      await counted.close();
    }
  });
});

describe('Reads of module drafts', () => {
  it('page by the last id, newest first, and accept no other query', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 21; index += 1)
      ids.unshift((await submit(draft({ version: `1.${index}.0` }))).json.submissionId as string);
    const first = (await get(SUBMISSIONS)).json;
    const second = (await get(`${SUBMISSIONS}?cursor=${first.nextCursor}`)).json;
    const seen = [...first.items, ...second.items].map(({ submissionId }) => submissionId as string);
    expect([first.items.length, first.nextCursor, second.nextCursor]).toEqual([20, seen[19], null]);
    expect([...seen].sort()).toEqual([...ids].sort());
    for (const query of ['limit=5', 'offset=1', 'cursor=a&cursor=b'])
      expect(outcomeOf(await get(`${SUBMISSIONS}?${query}`))).toEqual([400, 'QUERY_INVALID']);
    for (const cursor of ['', 'nothing', randomUUID()])
      expect(outcomeOf(await get(`${SUBMISSIONS}?cursor=${cursor}`))).toEqual([400, 'CURSOR_INVALID']);
    const { key: other } = await gateway.issueKey(['modules:read'], `0x${'8'.repeat(40)}`);
    expect(outcomeOf(await get(`${SUBMISSIONS}?cursor=${ids[0]}`, gateway, other))).toEqual([400, 'CURSOR_INVALID']);
    // Absent, foreign and malformed ids are one error.
    for (const path of [randomUUID(), 'nothing', `${randomUUID()}/review`])
      expect(outcomeOf(await get(`${SUBMISSIONS}/${path}`))).toEqual([404, 'NOT_FOUND']);
    for (const path of [ids[0], `${ids[0]}/review`])
      expect(outcomeOf(await get(`${SUBMISSIONS}/${path}`, gateway, other))).toEqual([404, 'NOT_FOUND']);
    for (const path of [`${SUBMISSIONS}/${ids[0]}`, `${SUBMISSIONS}/${ids[0]}/review`, '/v1/modules/capabilities'])
      expect((await get(`${path}?a=b`)).status).toBe(400);
  });

  it('show the first review status once the review answers for it', async () => {
    const { submissionId } = (await submit(draft())).json;
    const path = `${SUBMISSIONS}/${submissionId}/review`;
    expect(outcomeOf(await get(path))).toEqual([503, 'MODULE_REVIEW_UNAVAILABLE']);
    const capabilities = (await get('/v1/modules/review-capabilities', gateway, undefined)).json;
    expect(moduleReviewCapabilitiesSchema.parse(capabilities)).toMatchObject({
      reviewAvailable: false,
      statusReadAvailable: false,
    });
    const document = JSON.stringify({ ...capabilities, statusReadAvailable: true });
    await runSql(gateway.database, 'INSERT INTO module_review_readiness (document, reported_at) VALUES ($1, now())', [
      document,
    ]);
    const status = moduleReviewStatusSchema.parse((await get(path)).json);
    expect(status.review).toMatchObject({
      state: 'awaiting_plan',
      revision: 0,
      attempt: 0,
      nextAction: 'await_review_plan',
    });
    gateway.clock.shiftMs = 61_000;
    expect(outcomeOf(await get(path))).toEqual([503, 'MODULE_REVIEW_UNAVAILABLE']);
    gateway.clock.shiftMs = 0;
    await runSql(gateway.database, 'DELETE FROM module_review_readiness');
  });

  it('never return to an earlier review status, and may catch up', async () => {
    const { submissionId } = (await submit(draft())).json;
    const move = (state: string, revision: number) =>
      runSql(gateway.database, 'UPDATE module_review SET state = $2, revision = $3 WHERE submission_id = $1', [
        submissionId,
        state,
        revision,
      ]);
    await move('running', 2);
    await move('running', 2);
    for (const [state, revision] of [
      ['built', 2],
      ['queued', 1],
    ] as const)
      await expect(move(state, revision)).rejects.toMatchObject({ code: '23000' });
    await move('built', 5);
  });
});

describe('Keys of modules', () => {
  it('need every scope, and none is valid for launches or the reverse', async () => {
    const { key: reader } = await gateway.issueKey(['modules:read'], author);
    const { key: launcher } = await gateway.issueKey(['custom-launch:create', 'custom-launch:read'], author);
    expect(outcomeOf(await submit(draft(), newKey(), gateway, reader))).toEqual([403, 'API_SCOPE_REQUIRED']);
    expect(outcomeOf(await get(SUBMISSIONS, gateway, launcher))).toEqual([403, 'API_SCOPE_REQUIRED']);
    expect(outcomeOf(await call(gateway.url + SUBMISSIONS))).toEqual([401, 'UNAUTHENTICATED']);
    expect(outcomeOf(await call(`${gateway.base}`, { key }))).toEqual([403, 'INSUFFICIENT_SCOPE']);
  });

  it('need no grant of a chain, keep their scopes when rotated, and own nothing as a partner', async () => {
    const { credentials } = gateway;
    const issued = await credentials.issue({
      controller: author,
      scopes: ['modules:submit', 'modules:read'],
      chains: [],
      label: null,
      expiresAt: null,
    });
    const rotated = await credentials.rotate(issued.credentialId, 0);
    expect((await submit(draft(), newKey(), gateway, rotated!.key)).status).toBe(201);
    const partner = await credentials.issue({
      kind: 'partner',
      allowedControllers: [author],
      scopes: ['modules:submit', 'modules:read'],
      chains: ['4663'],
      label: null,
      expiresAt: null,
    });
    expect(outcomeOf(await submit(draft({ version: '2.0.0' }), newKey(), gateway, partner.key))).toEqual([
      403,
      'MODULE_AUTHOR_MISMATCH',
    ]);
    expect((await get(SUBMISSIONS, gateway, partner.key)).json.items).toEqual([]);
  });

  it('form a separate lineage when a wallet signs in for them', async () => {
    const { credentials } = gateway;
    const expiresAt = new Date(Date.now() + 3_600_000);
    const launches = await credentials.issueForSignIn(author, expiresAt);
    const modules = await credentials.issueForSignIn(author, expiresAt, 'modules');
    const again = await credentials.issueForSignIn(author, expiresAt, 'modules');
    expect(modules.lineageId).not.toBe(launches.lineageId);
    expect(again.lineageId).toBe(modules.lineageId);
    expect((await submit(draft(), newKey(), gateway, again.key)).status).toBe(201);
    expect((await get(SUBMISSIONS, gateway, modules.key)).status).toBe(200);
    expect(outcomeOf(await get(SUBMISSIONS, gateway, launches.key))).toEqual([403, 'API_SCOPE_REQUIRED']);
  });
});
