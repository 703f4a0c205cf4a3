import { isCanonical, parseStrictJson } from '@launch/contracts/json';
import { MULTI_ROLE_BASE_PATH, walletHandoffSchema } from '@launch/contracts/multi-role';
import type { Hex } from '@launch/contracts/primitives';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AnsweringServer, json, type Answering } from '../fixtures/answering-server.fixture.js';
import { temporaryFolder } from '../fixtures/bundle.fixture.js';
import {
  FIXTURE_LAUNCH_ID,
  fixtureError,
  fixtureFinality,
  fixtureLaunch,
  fixturePreflight,
  fixtureWallet,
} from '../fixtures/launch-answers.fixture.js';
import { fixtureCapabilities } from '../fixtures/launch-context.fixture.js';
import { runClient, type ClientRun } from './client.cli.js';
import { MAX_RESPONSE_BYTES } from './transport.js';

const KEY = 'sk-live-90ac2e';
/** Formatted, so that serializing it again would show. */
const REQUEST = Buffer.from('{ "any" : "bytes",\n  "ünïcode": 1.0 }');
const HASH = `0x${'8'.repeat(64)}`;
const root = temporaryFolder();
const server = new AnsweringServer();
let origin: string;
let folder: string;
let request: string;
const at = (name: string): string => join(folder, name);
const client = (...args: string[]): Promise<ClientRun> =>
  runClient(args, { SERVICE_API_BASE_URL: origin, SERVICE_API_KEY: KEY });
const failure = (run: ClientRun) => {
  expect(run.stderr).not.toContain(KEY);
  const body = JSON.parse(run.stderr);
  // Only the command that repeats a create names its file.
  expect(JSON.stringify({ ...body, repeat: null })).not.toContain(root.path);
  return body;
};

beforeAll(async () => {
  origin = await server.start();
});
beforeEach(() => {
  server.seen.length = 0;
  folder = mkdtempSync(join(root.path, 'run-'));
  request = at('request.json');
  writeFileSync(request, REQUEST);
});
afterAll(async () => {
  await server.stop();
  root.remove();
});

describe('create', () => {
  it("sends the file's bytes unchanged, under the default key, once", async () => {
    server.answer = json(202, fixtureLaunch(REQUEST));
    const run = await client('create', '--request', request);
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(run.stdout)).toMatchObject({
      command: 'create',
      httpStatus: 202,
      replayed: false,
      walletSaved: false,
      response: { launchId: FIXTURE_LAUNCH_ID },
    });
    const [sent] = server.seen;
    expect(server.seen).toHaveLength(1);
    expect(sent!.body.equals(REQUEST)).toBe(true);
    expect(sent).toMatchObject({
      method: 'POST',
      url: MULTI_ROLE_BASE_PATH,
      headers: {
        authorization: `Bearer ${KEY}`,
        'content-type': 'application/json',
        'idempotency-key': fixtureLaunch(REQUEST).idempotencyKey,
      },
    });
  });

  it('saves no wallet file without one', async () => {
    server.answer = json(202, fixtureLaunch(REQUEST));
    const run = await client('create', '--request', request, '--save-wallet', at('wallet.json'));
    expect(JSON.parse(run.stdout)).toMatchObject({ walletSaved: false });
    expect(existsSync(at('wallet.json'))).toBe(false);
  });

  it('saves the wallet of a replay and the exact response', async () => {
    const launch = fixtureLaunch(REQUEST);
    const answered = {
      ...launch,
      status: 'authorized' as const,
      idempotencyKey: 'my-key-of-16-characters',
      wallet: fixtureWallet(launch),
    };
    const text = JSON.stringify(answered, null, 3);
    server.answer = json(200, text, { 'idempotency-replayed': 'true' });
    const run = await client(
      'create',
      '--request',
      request,
      '--idempotency-key',
      'my-key-of-16-characters',
      '--save-wallet',
      at('wallet.json'),
      '--save-response',
      at('response.json'),
    );
    expect(JSON.parse(run.stdout)).toMatchObject({ replayed: true, walletSaved: true, responseSaved: true });
    expect(readFileSync(at('response.json'), 'utf8')).toBe(text);
    const wallet = readFileSync(at('wallet.json'));
    expect(isCanonical(wallet)).toBe(true);
    expect(walletHandoffSchema.parse(parseStrictJson(wallet))).toEqual(answered.wallet);
    expect(statSync(at('wallet.json')).mode & 0o777).toBe(0o600);
  });

  it('sends nothing to the service when an output file exists', async () => {
    writeFileSync(at('wallet.json'), 'mine');
    const run = await client('create', '--request', request, '--save-wallet', at('wallet.json'));
    expect(run.exitCode).toBe(11);
    expect(failure(run)).toMatchObject({ code: 'MULTI_ROLE_CLIENT_IO_ERROR', submissionMayExist: false });
    expect(server.seen).toHaveLength(0);
    expect(readFileSync(at('wallet.json'), 'utf8')).toBe('mine');
  });

  it('still shows the launch when the wallet could not be written afterwards', async () => {
    const launch = fixtureLaunch(REQUEST);
    server.answer = json(200, { ...launch, status: 'authorized', wallet: fixtureWallet(launch) });
    const run = await client('create', '--request', request, '--save-wallet', at('absent/wallet.json'));
    expect(run.exitCode).toBe(11);
    expect(JSON.parse(run.stdout)).toMatchObject({ walletSaved: false, response: { launchId: FIXTURE_LAUNCH_ID } });
    expect(failure(run)).toMatchObject({ submissionMayExist: true, findings: [{ path: '--save-wallet' }] });
  });

  it.each([
    [
      'the sender',
      (w: ReturnType<typeof fixtureWallet>) => (w.walletTransaction.from = `0x${'9'.repeat(40)}`),
      '/wallet/walletTransaction/from',
    ],
    [
      'the recipient',
      (w: ReturnType<typeof fixtureWallet>) => (w.walletTransaction.to = `0x${'9'.repeat(40)}`),
      '/wallet/walletTransaction/to',
    ],
    ['the request', (w: ReturnType<typeof fixtureWallet>) => (w.requestHash = HASH as Hex), '/wallet/requestHash'],
    ['the artifact', (w: ReturnType<typeof fixtureWallet>) => (w.artifactHash = HASH as Hex), '/wallet/artifactHash'],
    ['the window', (w: ReturnType<typeof fixtureWallet>) => (w.deadline = '9'), '/wallet/deadline'],
  ])('keeps no wallet transaction bound to something else: %s', async (_title, change, path) => {
    const launch = fixtureLaunch(REQUEST);
    const wallet = fixtureWallet(launch);
    change(wallet);
    server.answer = json(200, { ...launch, status: 'authorized', wallet });
    const run = await client('create', '--request', request, '--save-wallet', at('wallet.json'));
    expect(run).toMatchObject({ exitCode: 10, stdout: '' });
    expect(failure(run).findings).toEqual([{ path, message: 'is not what was asked for' }]);
    expect(existsSync(at('wallet.json'))).toBe(false);
  });
});

describe('unusable answers (exit 10)', () => {
  const launch = () => fixtureLaunch(REQUEST);
  const table: [string, () => void][] = [
    ['an unknown field', () => void (server.answer = json(202, { ...launch(), extra: 1 }))],
    ['a missing field', () => void (server.answer = json(202, { ...launch(), status: undefined }))],
    ['an amount that is no number', () => void (server.answer = json(202, { ...launch(), nonce: 'seven' }))],
    ['other request bytes', () => void (server.answer = json(202, fixtureLaunch(Buffer.from('other'))))],
    [
      'a duplicate key',
      () => void (server.answer = json(202, JSON.stringify(launch()).replace('{', '{"status":"finalized",'))),
    ],
    ['another media type', () => void (server.answer = json(202, launch(), { 'content-type': 'text/html' }))],
    ['a status outside the contract', () => void (server.answer = json(201, launch()))],
    ['a redirect', () => void (server.answer = json(307, '{}', { location: `${origin}/elsewhere` }))],
    [
      'an error that is no error body',
      () => void (server.answer = json(500, '<html>', { 'content-type': 'text/html' })),
    ],
    [
      'a body without end',
      () =>
        void (server.answer = (response) => {
          response.writeHead(202, { 'content-type': 'application/json' });
          const chunk = Buffer.alloc(1024 * 1024, 0x20);
          const more = (): void => {
            while (!response.destroyed && response.write(chunk));
            if (!response.destroyed) response.once('drain', more);
          };
          more();
        }),
    ],
  ];
  it.each(table)('%s', async (_title, prepare) => {
    prepare();
    const run = await client('create', '--request', request);
    expect(run).toMatchObject({ exitCode: 10, stdout: '' });
    expect(failure(run)).toMatchObject({ code: 'MULTI_ROLE_CLIENT_RESPONSE_INVALID', submissionMayExist: true });
    expect(server.seen).toHaveLength(1);
  });

  it('bounds what it reads', () => expect(MAX_RESPONSE_BYTES).toBe(16 * 1024 * 1024));
});

describe('refusals', () => {
  it.each([
    [400, 'JSON_NOT_CANONICAL', 3, false],
    [401, 'UNAUTHENTICATED', 4, false],
    [403, 'WALLET_BINDING_MISMATCH', 4, false],
    [404, 'NOT_FOUND', 5, false],
    [408, 'REQUEST_TIMEOUT', 8, false],
    [409, 'IDEMPOTENCY_CONFLICT', 6, false],
    [413, 'REQUEST_TOO_LARGE', 3, false],
    [415, 'UNSUPPORTED_MEDIA_TYPE', 3, false],
    [422, 'SCHEMA_INVALID', 3, false],
    [429, 'RATE_LIMITED', 7, false],
    [500, 'INTERNAL', 8, true],
    [503, 'SERVICE_UNAVAILABLE', 8, true],
  ] as const)('%i %s ends with %i', async (status, code, exitCode, submissionMayExist) => {
    server.answer = json(status, fixtureError(code));
    const run = await client('create', '--request', request);
    expect(run).toMatchObject({ exitCode, stdout: '' });
    expect(failure(run)).toMatchObject({
      code: 'MULTI_ROLE_CLIENT_REFUSED',
      httpStatus: status,
      refusal: { code },
      submissionMayExist,
    });
  });

  it('carry the status url of the launch that exists', async () => {
    server.answer = json(422, fixtureError('MULTI_ROLE_EVIDENCE_REQUIRED', { statusUrl: '/status' }));
    expect(failure(await client('create', '--request', request))).toMatchObject({
      submissionMayExist: true,
      refusal: { statusUrl: '/status' },
    });
  });

  it('that contain the key do not get it printed', async () => {
    server.answer = json(401, fixtureError('UNAUTHENTICATED', { message: `no such key: ${KEY}` }));
    expect(failure(await client('create', '--request', request)).refusal.message).toBe('no such key: [redacted]');
  });
});

describe('the network,', () => {
  it('failing under a create leaves the launch in doubt', async () => {
    server.answer = (response) => void response.destroy();
    const run = await client('create', '--request', request);
    expect(run.exitCode).toBe(9);
    expect(failure(run)).toMatchObject({ code: 'MULTI_ROLE_CLIENT_NETWORK_ERROR', submissionMayExist: true });
    expect(server.seen).toHaveLength(1);
  });

  it('failing under a read leaves nothing in doubt', async () => {
    server.answer = (response) => void response.destroy();
    expect(failure(await client('capabilities')).submissionMayExist).toBe(false);
  });

  it('is abandoned at the deadline, even within a body', async () => {
    server.answer = (response) => void response.writeHead(202, { 'content-type': 'application/json' }).write('{');
    const run = await runClient(
      ['create', '--request', request],
      { SERVICE_API_BASE_URL: origin, SERVICE_API_KEY: KEY },
      100,
    );
    expect(run.exitCode).toBe(9);
    expect(failure(run)).toMatchObject({ code: 'MULTI_ROLE_CLIENT_DEADLINE_EXCEEDED', submissionMayExist: true });
  });
});

describe('the other commands', () => {
  const hint = {
    schemaVersion: 'service.multi-role-transaction-hint-receipt.v2',
    launchId: FIXTURE_LAUNCH_ID,
    transactionHash: HASH,
    registeredAt: '2026-01-01T00:00:00.000Z',
    assertsInclusion: false,
    statusUrl: `${MULTI_ROLE_BASE_PATH}/${FIXTURE_LAUNCH_ID}/finality`,
  };
  const id = ['--launch-id', FIXTURE_LAUNCH_ID];
  const list = { schemaVersion: 'service.multi-role-launch-list.v2', items: [], nextCursor: null };
  const feed = { schemaVersion: 'service.multi-role-finalized-metadata-list.v2', items: [], nextCursor: null };
  const launch = fixtureLaunch(REQUEST);
  it.each([
    ['capabilities', [], 'GET', '/capabilities', false, 200, fixtureCapabilities()],
    ['preflight', ['--request', '<request>'], 'POST', '/preflight', true, 200, fixturePreflight(REQUEST)],
    ['get', id, 'GET', `/${FIXTURE_LAUNCH_ID}`, true, 200, launch],
    ['list', ['--limit', '25', '--cursor', 'a+b/c='], 'GET', '?limit=25&cursor=a%2Bb%2Fc%3D', true, 200, list],
    ['list', [], 'GET', '', true, 200, list],
    [
      'transaction-hints',
      [...id, '--transaction-hash', HASH],
      'POST',
      `/${FIXTURE_LAUNCH_ID}/transaction-hints`,
      true,
      202,
      hint,
    ],
    ['transaction-hint-status', id, 'GET', `/${FIXTURE_LAUNCH_ID}/finality`, true, 200, fixtureFinality()],
    ['finality', id, 'GET', `/${FIXTURE_LAUNCH_ID}/finality`, true, 200, fixtureFinality()],
    ['finalized', ['--limit', '1'], 'GET', '/finalized?limit=1', false, 200, feed],
  ] as const)('%s %j', async (command, options, method, path, authorized, status, answer) => {
    server.answer = json(status, answer);
    const run = await client(command, ...options.map((option) => (option === '<request>' ? request : option)));
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(run.stdout)).toMatchObject({ command, response: JSON.parse(JSON.stringify(answer)) });
    const [sent] = server.seen;
    expect(sent).toMatchObject({ method, url: `${MULTI_ROLE_BASE_PATH}${path}` });
    expect(sent!.headers.authorization).toBe(authorized ? `Bearer ${KEY}` : undefined);
    expect(sent!.headers['idempotency-key']).toBeUndefined();
  });

  it('sends a hint as canonical bytes', async () => {
    server.answer = json(202, hint);
    await client('transaction-hints', ...id, '--transaction-hash', HASH);
    expect(server.seen[0]!.body.toString('utf8')).toBe(
      `{"schemaVersion":"service.multi-role-transaction-hint.v2","transactionHash":"${HASH}"}`,
    );
  });

  it('refuses an answer about another launch', async () => {
    server.answer = json(200, { ...fixtureFinality(), launchId: '0b8f6f0e-8f4e-4c7b-9a53-2f6f0f1f7a12' });
    expect((await client('finality', ...id)).exitCode).toBe(10);
  });
});

describe('create that is cut off', () => {
  const half: Answering = (response) => {
    response.writeHead(202, { 'content-type': 'application/json', 'content-length': '4096' });
    response.write('{"schemaVersion":', () => response.destroy());
  };
  const repeat = (key: string): string => `multi-role-client create --request ${request} --idempotency-key ${key}`;
  it.each<[string, Answering, number]>([
    ['after the request, before an answer', (response) => void response.destroy(), 9],
    ['in the middle of the answer', half, 9],
    ["by a proxy's page", json(503, '<html>', { 'content-type': 'text/html' }), 8],
    ['by a service that never answers', () => undefined, 9],
  ])('%s may have left a launch, and says how to repeat it', async (_when, answer, exitCode) => {
    server.answer = answer;
    const args = ['create', '--request', request, '--idempotency-key', 'a-key-of-mine-0001'];
    const run = await runClient(args, { SERVICE_API_BASE_URL: origin, SERVICE_API_KEY: KEY }, 300);
    expect([run.exitCode, failure(run)]).toMatchObject([
      exitCode,
      { submissionMayExist: true, repeat: repeat('a-key-of-mine-0001') },
    ]);
    const [first] = server.seen;
    const [, ...again] = (failure(run).repeat as string).split(' ');
    server.answer = json(202, fixtureLaunch(readFileSync(request)));
    await client(...again);
    const second = server.seen.at(-1)!;
    expect([second.headers['idempotency-key'], second.body.equals(first!.body)]).toEqual(['a-key-of-mine-0001', true]);
  });

  it('is not in doubt once it is refused', async () => {
    server.answer = json(422, fixtureError('SCHEMA_INVALID'));
    expect(failure(await client('create', '--request', request))).toMatchObject({
      submissionMayExist: false,
      repeat: null,
    });
  });
});

describe('usage', () => {
  it.each([
    ['an uppercase id', ['get', '--launch-id', FIXTURE_LAUNCH_ID.toUpperCase()]],
    ['a limit of 0', ['list', '--limit', '0']],
    ['a limit of 26', ['list', '--limit', '26']],
    ['a short key', ['create', '--request', '<request>', '--idempotency-key', 'short']],
    [
      'an uppercase hash',
      ['transaction-hints', '--launch-id', FIXTURE_LAUNCH_ID, '--transaction-hash', HASH.toUpperCase()],
    ],
    ['an option of another command', ['capabilities', '--limit', '1']],
  ])('%s', async (_title, args) => {
    const run = await client(...args.map((arg) => (arg === '<request>' ? request : arg)));
    expect(run.exitCode).toBe(2);
    expect(failure(run).code).toBe('MULTI_ROLE_CLIENT_ARGUMENTS_INVALID');
    expect(server.seen).toHaveLength(0);
  });

  it.each([
    ['no base url', {}],
    ['plain http elsewhere', { SERVICE_API_BASE_URL: 'http://service.example' }],
    [
      'plain http at a name that only begins like loopback',
      { SERVICE_API_BASE_URL: 'http://127.0.0.1.service.example' },
    ],
    ['a path', { SERVICE_API_BASE_URL: 'https://service.example/v4' }],
    ['credentials', { SERVICE_API_BASE_URL: `https://user:${KEY}@service.example` }],
    ['an empty query', { SERVICE_API_BASE_URL: 'https://service.example?' }],
    ['a key with a line break', { SERVICE_API_BASE_URL: 'https://service.example', SERVICE_API_KEY: `${KEY}\r\nx: y` }],
    ['no key', { SERVICE_API_BASE_URL: 'https://service.example' }],
  ])('environment with %s', async (_title, environment) => {
    const run = await runClient(['list'], environment);
    expect(run.exitCode).toBe(2);
    expect(failure(run).code).toBe('MULTI_ROLE_CLIENT_ENVIRONMENT_INVALID');
  });
});
