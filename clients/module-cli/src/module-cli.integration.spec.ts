import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { idOf, IDEMPOTENCY, KEY, moduleRuns, STRANGE_ID } from './fixtures/module-run.fixture.js';
import { SMALL_FILES } from './fixtures/module-package.fixture.js';
import { CAPABILITIES, ModuleService, ROUTES } from './fixtures/module-service.fixture.js';

const { at, folder, newModule, run, online, submitArguments, submit, postsSeen } = moduleRuns();
const elsewhere = new ModuleService();
let otherOrigin: string;
beforeAll(async () => {
  otherOrigin = await elsewhere.start();
});
afterAll(() => elsewhere.stop());

describe('a module', () => {
  it('is prepared, submitted, replayed, read and listed, each answer bound to its receipt', async () => {
    const root = newModule();
    const out = join(root, 'request.json');
    const prepared = await run(
      ['prepare-module-submission', '--root', root, '--package', 'module.json', '--out', out],
      {},
    );
    expect([prepared.exitCode, statSync(out).mode & 0o777, at.service.seen]).toEqual([0, 0o600, []]);
    expect(
      (await run(['prepare-module-submission', '--root', root, '--package', 'module.json', '--out', out], {})).error,
    ).toMatchObject({ code: 'MODULE_CLI_FILE', path: '--out' });

    const saved = [
      'submit-module',
      '--root',
      root,
      '--request',
      out,
      '--idempotency-key',
      IDEMPOTENCY,
      ...online(root),
    ];
    const first = await run(saved);
    expect([first.exitCode, first.result]).toMatchObject([0, { httpStatus: 201, replayed: false, receiptBound: true }]);
    expect(first.result['resource']).toMatchObject({
      requestDigest: (prepared.result['resource'] as { requestDigest: string }).requestDigest,
    });
    expect(at.service.seen.map(({ method, url, headers }) => [method, url, headers.authorization])).toEqual([
      ['GET', ROUTES.capabilities, undefined],
      ['POST', ROUTES.submissions, `Bearer ${KEY}`],
    ]);
    expect(postsSeen()[0]!.body.equals(readFileSync(out))).toBe(true);
    const id = idOf(first);
    const kept = join(root, 'receipts', `${id}.json`);
    expect([statSync(kept).mode & 0o777, JSON.parse(readFileSync(kept, 'utf8'))]).toEqual([
      0o600,
      first.result['resource'],
    ]);

    const again = await run(saved);
    expect([again.exitCode, again.result]).toMatchObject([
      0,
      { httpStatus: 200, replayed: true, resource: first.result['resource'] },
    ]);
    for (const argv of [
      ['status-module', '--id', id],
      ['list-module-submissions'],
      ['review-status-module', '--id', id],
    ]) {
      const { exitCode, result } = await run([...argv, ...online(root)]);
      expect([argv[0], exitCode, result]).toMatchObject([argv[0], 0, { httpStatus: 200, receiptBound: true }]);
    }
    expect(
      (await run(['status-module', '--id', id, '--api-origin', at.origin, '--receipts', join(root, 'none')])).result,
    ).toMatchObject({ receiptBound: false });
  });

  it('is replayed by status 200 where a proxy removed the header, and refused where it contradicts the status', async () => {
    const root = newModule();
    const first = await submit(root);
    at.service.replayed = {};
    const again = await submit(root);
    expect([again.exitCode, again.result]).toMatchObject([
      0,
      { httpStatus: 200, replayed: true, receiptBound: true, resource: first.result['resource'] },
    ]);
    at.service.replayed = { 'idempotency-replayed': 'false' };
    expect((await submit(root)).error).toMatchObject({ code: 'MODULE_API_RESPONSE', httpStatus: 200 });
  });

  it('with several faults is refused for all of them, before anything is sent', async () => {
    const root = newModule(SMALL_FILES, { version: 'one', author: `0x${'0'.repeat(40)}`, more: 1 });
    const { exitCode, error } = await submit(root);
    expect([exitCode, error]).toMatchObject([
      3,
      {
        code: 'OPEN_ADDRESS',
        path: '/author',
        findings: [
          { code: 'OPEN_ADDRESS', path: '/author' },
          { code: 'SCHEMA_UNKNOWN_FIELD', path: '/more' },
          { code: 'SCHEMA_INVALID', path: '/version' },
        ],
      },
    ]);
    expect(at.service.seen).toEqual([]);
  });

  it('that is submitted by its descriptor leaves the request beside it, which the next submission reuses', async () => {
    const root = newModule();
    const first = await submit(root);
    const name = `module-request-${(first.result['resource'] as { requestDigest: string }).requestDigest.slice(7, 23)}.json`;
    const before = statSync(join(root, name), { bigint: true });
    expect(readdirSync(root).filter((one) => one.startsWith('module-request-'))).toEqual([name]);
    expect(Number(before.mode & 0o777n)).toBe(0o600);
    expect((await submit(root)).result).toMatchObject({ replayed: true });
    expect(statSync(join(root, name), { bigint: true }).ctimeNs).toBe(before.ctimeNs);
    writeFileSync(join(root, name), 'something else');
    expect((await submit(root)).error).toMatchObject({
      code: 'MODULE_CLI_FILE',
      path: '--package',
      submissionMayExist: false,
    });
  });

  it('whose saved request is a link, too large or not a request is not submitted', async () => {
    const root = newModule();
    await submit(root);
    const saved = readdirSync(root).find((one) => one.startsWith('module-request-'))!;
    symlinkSync(saved, join(root, 'link.json'));
    writeFileSync(join(root, 'large.json'), '');
    truncateSync(join(root, 'large.json'), 24 * 1024 * 1024 + 1);
    for (const [name, code, path] of [
      ['link.json', 'MODULE_CLI_FILE', '--request'],
      ['large.json', 'MODULE_LIMIT_EXCEEDED', '--request'],
      ['module.json', 'SCHEMA_UNKNOWN_FIELD', '/author'],
    ]) {
      const argv = ['submit-module', '--root', root, '--request', join(root, name!), '--idempotency-key', IDEMPOTENCY];
      expect([name, (await run([...argv, ...online(root)])).error]).toMatchObject([name, { code, path }]);
    }
    expect(postsSeen().length).toBe(1);
  });

  it('whose descriptor exceeds the bound of a file is submitted, and one whose files exceed it is not', async () => {
    const root = newModule();
    const { maxFileBytes, ...limits } = CAPABILITIES.moduleContributions;
    const largest = Math.max(...Object.values(SMALL_FILES).map((text) => Buffer.byteLength(text)));
    expect(largest).toBeLessThan(Math.min(maxFileBytes, statSync(join(root, 'module.json')).size));
    at.service.capabilities = { ...CAPABILITIES, moduleContributions: { ...limits, maxFileBytes: largest } };
    expect((await submit(root)).result).toMatchObject({ httpStatus: 201 });
  });

  it('submitted to two services is replayed at each from one folder of receipts', async () => {
    const root = newModule();
    const first = idOf(await submit(root));
    const other = new ModuleService();
    const [here, there] = [at.origin, await other.start()];
    try {
      // The first answer of the other service is lost, so its receipt is not kept.
      const argv = submitArguments(root).map((one) => (one === here ? there : one));
      await run(argv.map((one) => (one === join(root, 'receipts') ? join(root, 'lost') : one)));
      const replayed = await run(argv);
      expect(replayed.result).toMatchObject({ replayed: true, receiptBound: true });
      expect(idOf(replayed)).not.toBe(first);
      expect(idOf(await submit(root))).toBe(first);
    } finally {
      await other.stop();
    }
  });

  it('without any submission is an empty page that is bound to nothing', async () => {
    const root = newModule();
    const { result } = await run(['list-module-submissions', ...online(root)]);
    expect(result).toMatchObject({ receiptBound: false, resource: { items: [] } });
  });

  it.each([
    ['read', 'MODULE_READS_UNAVAILABLE', (root: string) => ['status-module', '--id', STRANGE_ID, ...online(root)]],
    ['read', 'MODULE_READS_UNAVAILABLE', (root: string) => ['list-module-submissions', ...online(root)]],
    [
      'reviewStatus',
      'MODULE_REVIEW_UNAVAILABLE',
      (root: string) => ['review-status-module', '--id', STRANGE_ID, ...online(root)],
    ],
  ])('is not requested when %s is off: %s', async (operation, code, argv) => {
    at.service.capabilities = { ...CAPABILITIES, operations: { ...CAPABILITIES.operations, [operation]: false } };
    const { exitCode, error } = await run(argv(newModule()));
    expect([exitCode, error]).toMatchObject([8, { code, httpStatus: null, submissionMayExist: false }]);
    expect(at.service.seen.map(({ url, headers }) => [url, headers.authorization])).toEqual([
      [ROUTES.capabilities, undefined],
    ]);
  });

  it('prints only the code of a fault of the client itself', async () => {
    const environment = Object.defineProperty({}, 'SERVICE_MODULES_API_KEY', {
      get: () => {
        throw new Error(folder);
      },
    }) as Record<string, string>;
    const { exitCode, error } = await run(['list-module-submissions', ...online(newModule())], environment);
    expect([exitCode, error]).toMatchObject([1, { code: 'MODULE_CLI_INTERNAL', path: null }]);
  });

  it('has the capabilities that the service states, without a key', async () => {
    for (const command of ['module-capabilities', 'review-capabilities'])
      expect((await run([command, '--api-origin', at.origin], {})).result).toMatchObject({ command, httpStatus: 200 });
    expect(at.service.seen.every(({ headers }) => headers.authorization === undefined)).toBe(true);
  });
});

describe('neither key nor source leaves', () => {
  it.each<[string, object, string]>([
    [
      'takes no submissions',
      { moduleContributions: { ...CAPABILITIES.moduleContributions, submissions: false } },
      'MODULE_SUBMISSIONS_UNAVAILABLE',
    ],
    [
      'has submitting switched off',
      { operations: { ...CAPABILITIES.operations, submit: false } },
      'MODULE_SUBMISSIONS_UNAVAILABLE',
    ],
    [
      'takes fewer files',
      { moduleContributions: { ...CAPABILITIES.moduleContributions, maxFiles: 1 } },
      'MODULE_LIMIT_EXCEEDED',
    ],
    [
      'takes smaller files',
      { moduleContributions: { ...CAPABILITIES.moduleContributions, maxFileBytes: 12 } },
      'MODULE_LIMIT_EXCEEDED',
    ],
    [
      'takes smaller packages',
      { moduleContributions: { ...CAPABILITIES.moduleContributions, maxTotalBytes: 40 } },
      'MODULE_LIMIT_EXCEEDED',
    ],
    [
      'takes smaller requests',
      { moduleContributions: { ...CAPABILITIES.moduleContributions, maxRequestBytes: 40 } },
      'MODULE_LIMIT_EXCEEDED',
    ],
    ['has another wire contract', { wireContract: 'service.modules.api.v0.2' }, 'MODULE_API_RESPONSE'],
    ['has no capabilities', { operations: null }, 'MODULE_API_RESPONSE'],
  ])('where the service %s', async (_what, more, code) => {
    at.service.capabilities = { ...CAPABILITIES, ...more };
    const { error } = await submit(newModule());
    expect(error).toMatchObject({ code, submissionMayExist: false });
    expect(at.service.seen.map(({ url, headers, body }) => [url, headers.authorization, body.length])).toEqual([
      [ROUTES.capabilities, undefined, 0],
    ]);
  });

  it.each<[string, Record<string, string>, (root: string) => string[], string, number]>([
    [
      'as an argument',
      { SERVICE_MODULES_API_KEY: KEY },
      (root) => submitArguments(root).map((one) => (one === IDEMPOTENCY ? KEY : one)),
      'MODULE_CLI_ARGUMENTS_INVALID',
      2,
    ],
    [
      'inside of an argument',
      { SERVICE_MODULES_API_KEY: KEY },
      (root) => submitArguments(root).map((one) => (one.endsWith('receipts') ? join(one, KEY) : one)),
      'MODULE_CLI_ARGUMENTS_INVALID',
      2,
    ],
    [
      'as an option of its own',
      {},
      (root) => [...submitArguments(root), '--api-key', KEY],
      'MODULE_CLI_ARGUMENTS_INVALID',
      2,
    ],
    ['with a space', { SERVICE_MODULES_API_KEY: 'two words' }, submitArguments, 'MODULE_CLI_ENVIRONMENT_INVALID', 2],
    ['from nowhere', {}, submitArguments, 'MODULE_CLI_ENVIRONMENT_INVALID', 2],
  ])('where the key comes %s', async (_what, environment, argv, code, exitCode) => {
    const ran = await run(argv(newModule()), environment);
    expect([ran.exitCode, ran.error['code'], at.service.seen]).toEqual([exitCode, code, []]);
  });

  it.each<[string, Record<string, string>, object, string]>([
    ['a source', { 'a.sol': `// ${KEY}` }, {}, '/files/0'],
    ['the descriptor', { 'a.sol': '//' }, { name: KEY }, '/package'],
  ])('where the key is in %s', async (_what, files, more, path) => {
    const { exitCode, error } = await submit(newModule(files, more));
    expect([exitCode, error['code'], error['path'], at.service.seen]).toEqual([3, 'MODULE_KEY_EXPOSED', path, []]);
  });

  it.each<[string, string[], string]>([
    ['an HTTP origin that is not of this machine', ['--api-origin', 'http://at.service.example'], '--api-origin'],
    ['an origin with a path', ['--api-origin', 'https://at.service.example/v1'], '--api-origin'],
    ['no time at all', ['--timeout-ms', '0'], '--timeout-ms'],
    ['too much time', ['--timeout-ms', '120001'], '--timeout-ms'],
    ['a short idempotency key', ['--idempotency-key', 'fifteen-letters'], '--idempotency-key'],
    ['both kinds of input', ['--request', 'request.json'], '--request'],
  ])('with %s', async (_what, [option, value], path) => {
    const root = newModule();
    const argv = submitArguments(root);
    const place = argv.indexOf(option!);
    if (place === -1) argv.push(option!, value!);
    else argv[place + 1] = value!;
    const { exitCode, error } = await run(argv);
    expect([exitCode, error['code'], error['path'], at.service.seen]).toEqual([
      2,
      'MODULE_CLI_ARGUMENTS_INVALID',
      path,
      [],
    ]);
  });

  it('to the target of a redirect', async () => {
    at.service.answer = (response) =>
      void response.writeHead(307, { location: `${otherOrigin}${ROUTES.capabilities}` }).end();
    expect((await submit(newModule())).error).toMatchObject({
      code: 'MODULE_API_NETWORK',
      httpStatus: 307,
      submissionMayExist: false,
    });
    expect(elsewhere.seen).toEqual([]);
  });
});
