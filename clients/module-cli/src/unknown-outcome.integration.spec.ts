import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { json, type Answering } from '../../multi-role/src/fixtures/answering-server.fixture.js';
import { IDEMPOTENCY, KEY, moduleRuns, STRANGE_ID } from './fixtures/module-run.fixture.js';
import { ModuleService, refusal } from './fixtures/module-service.fixture.js';
import { runModuleCli } from './run-module-cli.js';

const { at, folder, newModule, run, online, submitArguments, submit, postsSeen } = moduleRuns();
const elsewhere = new ModuleService();
let otherOrigin: string;
beforeAll(async () => {
  otherOrigin = await elsewhere.start();
});
afterAll(() => elsewhere.stop());

/** Makes the service report good capabilities and answer a submission with this answer. */
const answeringPost = (answer: Answering): void => {
  const honest = at.service.answer;
  at.service.answer = (response, request) => (request.method === 'POST' ? answer : honest)(response, request);
};

describe('a submission of unknown outcome may exist', () => {
  it.each<[string, string, number, Answering]>([
    [
      'that is redirected',
      'MODULE_API_NETWORK',
      9,
      (response) => void response.writeHead(303, { location: otherOrigin }).end(),
    ],
    ['whose connection breaks', 'MODULE_API_NETWORK', 9, (response) => void response.destroy()],
    ['whose answer is large', 'MODULE_API_RESPONSE', 10, json(201, ' '.repeat(1024 * 1024 + 1))],
    [
      'whose answer is a bomb',
      'MODULE_API_RESPONSE',
      10,
      (response) =>
        void response
          .writeHead(201, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
          .end(gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '))),
    ],
    ['whose answer is no JSON', 'MODULE_API_RESPONSE', 10, json(201, '{')],
    ['whose answer has a member twice', 'MODULE_API_RESPONSE', 10, json(201, '{"status":1,"status":1}')],
    [
      'whose answer is a page',
      'MODULE_API_RESPONSE',
      10,
      (response) => void response.writeHead(201, { 'content-type': 'text/html' }).end('<p>'),
    ],
    ['whose status the route does not have', 'MODULE_API_RESPONSE', 10, json(202, {})],
    ['that fails inside', 'INTERNAL', 8, json(500, refusal('INTERNAL'))],
  ])('%s: %s', async (_what, code, exitCode, answer) => {
    answeringPost(answer);
    const ran = await submit(newModule());
    expect([ran.exitCode, ran.error['code'], ran.error['submissionMayExist'], postsSeen().length]).toEqual([
      exitCode,
      code,
      true,
      1,
    ]);
    expect(elsewhere.seen).toEqual([]);
  });

  it('when the answer is missing, endless or trickles until the deadline', async () => {
    const begin = (response: ServerResponse) => response.writeHead(201, { 'content-type': 'application/json' });
    const slow: Readonly<Record<string, Answering>> = {
      'never-any-answer': () => undefined,
      'never-ending-one': (response) => void begin(response).write('{'),
      'dripping-answer.': (response) => {
        begin(response);
        const drip = setInterval(() => response.write(' '), 5);
        response.on('close', () => clearInterval(drip));
      },
    };
    answeringPost((response, request) => slow[String(request.headers['idempotency-key'])]!(response, request));
    const ran = await Promise.all(
      Object.keys(slow).map((key) => {
        const argv = submitArguments(newModule(), '--timeout-ms', '4000');
        argv[argv.indexOf('--idempotency-key') + 1] = key;
        return run(argv);
      }),
    );
    for (const { exitCode, error } of ran)
      expect([exitCode, error]).toMatchObject([9, { code: 'MODULE_API_TIMEOUT', submissionMayExist: true }]);
    expect(postsSeen().length).toBe(3);
  });

  it('and the saved file is sent again', async () => {
    const root = newModule();
    const honest = at.service.answer;
    answeringPost((response) => void response.destroy());
    await submit(root);
    at.service.answer = honest;
    const name = readdirSync(root).find((one) => one.startsWith('module-request-'))!;
    const again = await run([
      'submit-module',
      '--root',
      root,
      '--request',
      join(root, name),
      '--idempotency-key',
      IDEMPOTENCY,
      ...online(root),
    ]);
    expect(again.result).toMatchObject({ httpStatus: 201 });
    const [lost, kept] = postsSeen();
    expect([kept!.body.equals(lost!.body), kept!.headers['idempotency-key']]).toEqual([
      true,
      lost!.headers['idempotency-key'],
    ]);
  });
});

describe('a refusal', () => {
  it.each<[number, string, number, object]>([
    [401, 'UNAUTHORIZED', 4, {}],
    [403, 'API_SCOPE_REQUIRED', 4, {}],
    [409, 'MODULE_IDEMPOTENCY_CONFLICT', 6, {}],
    [403, 'MODULE_AUTHOR_MISMATCH', 4, { findings: [{ code: 'MODULE_AUTHOR_MISMATCH', path: '/package/author' }] }],
    [429, 'RATE_LIMITED', 7, { retryAfterSeconds: 600 }],
    [503, 'MODULE_SUBMISSIONS_UNAVAILABLE', 8, {}],
  ])('with %d %s is reported unchanged, and definite', async (status, code, exitCode, more) => {
    answeringPost(json(status, refusal(code, more)));
    const ran = await submit(newModule());
    expect([ran.exitCode, ran.error]).toEqual([
      exitCode,
      {
        schemaVersion: 'service.modules.cli-error.v1',
        code,
        path: 'findings' in more ? '/package/author' : null,
        findings: 'findings' in more ? more.findings : [],
        httpStatus: status,
        submissionMayExist: false,
        retryAfterSeconds: 'retryAfterSeconds' in more ? 600 : null,
        requestId: `req_${'0'.repeat(26)}`,
      },
    ]);
  });

  it('of an unknown submission ends with 5', async () => {
    const { exitCode, error } = await run(['status-module', '--id', STRANGE_ID, ...online(folder)]);
    expect([exitCode, error['code']]).toEqual([5, 'NOT_FOUND']);
  });

  it('with a foreign text does not show it', async () => {
    answeringPost(
      json(
        422,
        refusal('SCHEMA_INVALID', { message: KEY, findings: [{ code: 'SCHEMA_INVALID', path: `/${KEY} <script>` }] }),
      ),
    );
    expect((await submit(newModule())).error).toMatchObject({ code: 'SCHEMA_INVALID', path: null });
  });

  it('of review commands by a release without them is a usage error', async () => {
    const { exitCode } = await runModuleCli(
      ['review-capabilities', '--api-origin', at.origin],
      {},
      { version: '1.0.0-development.1', hasReview: false, hasAuthoring: false },
      'module-cli.mjs',
    );
    expect([exitCode, at.service.seen, existsSync(join(folder, '.service-modules'))]).toEqual([2, [], false]);
  });
});
