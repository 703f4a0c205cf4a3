import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { finding } from '@launch/contracts/errors';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AnsweringServer, json } from '../fixtures/answering-server.fixture.js';
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
import { MULTI_ROLE_BASE_PATH } from '@launch/contracts/multi-role';
import { runClient, type ClientRun } from './client.cli.js';
import { COMMANDS } from './commands.js';
import { plain, table } from './plain-text.js';

const REQUEST = Buffer.from('{}');
const KEY = 'sk-live-4411ce';
const server = new AnsweringServer();
const root = temporaryFolder();
let origin: string;
let request: string;
beforeAll(async () => {
  origin = await server.start();
  request = join(mkdtempSync(join(root.path, 'run-')), 'request.json');
  writeFileSync(request, REQUEST);
});
beforeEach(() => void (server.seen.length = 0));
afterAll(async () => {
  await server.stop();
  root.remove();
});

const clock = { now: () => Date.parse('2026-01-01T00:00:00.000Z'), sleep: () => Promise.resolve() };
const client = (isTerminal: boolean, ...args: string[]): Promise<ClientRun> =>
  runClient(args, { SERVICE_API_BASE_URL: origin, SERVICE_API_KEY: KEY }, undefined, {
    stdout: isTerminal,
    stderr: isTerminal,
    say: () => undefined,
    clock,
  });

const id = ['--launch-id', FIXTURE_LAUNCH_ID];
const launch = fixtureLaunch(REQUEST);
const ready = { ...launch, status: 'awaiting_wallet_signature', wallet: fixtureWallet(launch) };
const { wallet: _wallet, ...listed } = launch;
const item = { ...listed, schemaVersion: 'service.multi-role-launch-list-item.v2', handoffUrl: null };
const list = { schemaVersion: 'service.multi-role-launch-list.v2', items: [item], nextCursor: 'abc' };
const feed = { schemaVersion: 'service.multi-role-finalized-metadata-list.v2', items: [], nextCursor: null };
const hint = {
  schemaVersion: 'service.multi-role-transaction-hint-receipt.v2',
  launchId: FIXTURE_LAUNCH_ID,
  transactionHash: `0x${'8'.repeat(64)}`,
  registeredAt: '2026-01-01T00:00:00.000Z',
  assertsInclusion: false,
  statusUrl: `${MULTI_ROLE_BASE_PATH}/${FIXTURE_LAUNCH_ID}/finality`,
};

describe('a result', () => {
  const table: [string, string[], number, unknown, RegExp[]][] = [
    ['capabilities', [], 200, fixtureCapabilities(), [/^readiness +ready$/m, /^router +0xa/m]],
    [
      'capabilities',
      [],
      200,
      fixtureCapabilities(null),
      [/^readiness +unavailable CONTEXT_NOT_REGISTERED$/m, /nothing can be launched/],
    ],
    [
      'preflight',
      ['--request', '<request>'],
      200,
      fixturePreflight(REQUEST),
      [
        /^disposition +source_supported: recognised; not yet admitted/m,
        /^next +node client\.mjs create --request <file>/m,
      ],
    ],
    [
      'create',
      ['--request', '<request>'],
      202,
      launch,
      [/^launch +0b8f6f0e-8f4e-4c7b-9a53-2f6f0f1f7a11$/m, /^status +reserved$/m],
    ],
    [
      'get',
      id,
      200,
      ready,
      [
        /^wallet +the transaction is ready; save it with get --save-wallet <file>, to be sent before 2026-01-01 01:00:00 UTC \(in 60 min\)$/m,
      ],
    ],
    ['list', [], 200, list, [/^0b8f6f0e-8f4e-4c7b-9a53-2f6f0f1f7a11 +reserved/m, /^more: --cursor abc$/m]],
    ['finality', id, 200, fixtureFinality(), [/^finality +pending$/m]],
    ['transaction-hints', [...id, '--transaction-hash', hint.transactionHash], 202, hint, [/asserts no inclusion/]],
    ['finalized', [], 200, feed, [/^no finalized launches$/m]],
  ];

  it.each(table)('of %s %j is short on a terminal', async (command, args, status, answer, expected) => {
    server.answer = json(status, answer);
    const run = await client(true, command, ...args.map((arg) => (arg === '<request>' ? request : arg)));
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    for (const pattern of expected) expect(run.stdout).toMatch(pattern);
    expect(run.stdout).not.toMatch(/[{}]/);
  });

  it.each(table)(
    'of %s %j is the same JSON in a pipe, and with --json on a terminal',
    async (command, args, status, answer) => {
      server.answer = json(status, answer);
      const filled = args.map((arg) => (arg === '<request>' ? request : arg));
      const piped = await runClient([command, ...filled], { SERVICE_API_BASE_URL: origin, SERVICE_API_KEY: KEY });
      expect(await client(true, command, ...filled, '--json')).toEqual(piped);
      expect(JSON.parse(piped.stdout)).toMatchObject({
        schemaVersion: 'service.multi-role-client-result.v2',
        command,
        response: JSON.parse(JSON.stringify(answer)),
      });
    },
  );

  it('prints the pages of the website, the wallet page of a create with the digest of its request', async () => {
    const launchUrl = `https://site.example/launches/${FIXTURE_LAUNCH_ID}`;
    const walletUrl = `https://site.example/wallet/launches/${FIXTURE_LAUNCH_ID}`;
    const waiting = { ...ready, launchUrl, walletUrl };
    const pinned = `${walletUrl}#request=${launch.requestSha256.slice('sha256:'.length)}`;
    server.answer = json(200, waiting, { 'idempotency-replayed': 'true' });
    const created = await client(true, 'create', '--request', request);
    expect(created.stdout).toMatch(new RegExp(`^page +${launchUrl}\nwallet page +${pinned}$`, 'm'));
    const piped = await client(false, 'create', '--request', request);
    expect(JSON.parse(piped.stdout).response).toMatchObject({ launchUrl, walletUrl });
    server.answer = json(200, waiting);
    expect((await client(true, 'get', ...id)).stdout).toMatch(
      new RegExp(`^page +${launchUrl}\nwallet page +${walletUrl}$`, 'm'),
    );
    server.answer = json(200, { ...waiting, walletUrl: `${walletUrl}0` });
    expect(await client(true, 'get', ...id)).toMatchObject({
      stdout: '',
      stderr: expect.stringContaining('/walletUrl'),
    });
  });

  it('prints the findings of the service, and the way out', async () => {
    const found = finding('SIMULATION_REVERTED', '/fundingPlan/minimumTokensOut', {
      expected: 'at most 5',
      actual: '7',
      detail: 'Lower the minimum.',
    });
    server.answer = json(200, { ...launch, status: 'action_required', findings: [found] });
    const { stdout } = await client(true, 'get', ...id);
    expect(stdout).toContain('  error SIMULATION_REVERTED /fundingPlan/minimumTokensOut:');
    expect(stdout).toMatch(/expected {2}at most 5\n.*actual {4}7\n.*do {8}Lower the minimum\.\n/);
  });

  it('prints the warnings of a preflight before it suggests the next step', async () => {
    const found = finding('SIMULATION_REVERTED', '/fundingPlan/minimumTokensOut', { severity: 'warning' });
    server.answer = json(200, { ...fixturePreflight(REQUEST), findings: [found] });
    const { stdout } = await client(true, 'preflight', '--request', request);
    expect(stdout).toMatch(
      /^next +read what was found first: the launch would end with it\n {2}warning SIMULATION_REVERTED/m,
    );
  });

  it('takes --json once, and for every command', async () => {
    expect((await client(true, 'finalized', '--json', '--json')).exitCode).toBe(2);
    for (const command of Object.keys(COMMANDS)) {
      const { stderr } = await client(true, command, '--json', '--json');
      expect([command, JSON.parse(stderr).findings[0]]).toEqual([
        command,
        { path: '--json', message: 'is given twice' },
      ]);
    }
  });
});

it.each([
  ['reserved', /^next +node client\.mjs wait 0b8f6f0e-\S+ --until authorized --save-wallet wallet\.json$/m],
  ['awaiting_wallet_signature', /^next +node client\.mjs wallet-request .+, then sign and send exactly that$/m],
  ['submitted', /^next +node client\.mjs wait 0b8f6f0e-\S+ --until finalized$/m],
  ['expired', /^next +correct what was found, and make a new request$/m],
] as const)('a launch in %s prints the next step, and its wallet only while it is to be sent', async (status, next) => {
  server.answer = json(200, { ...ready, status });
  const { stdout } = await client(true, 'get', ...id);
  expect(stdout).toMatch(next);
  expect(/^wallet /m.test(stdout)).toBe(status !== 'submitted');
});

describe('a failure', () => {
  it('is text on a terminal, with the remaining doubt', async () => {
    server.answer = json(
      503,
      fixtureError('MULTI_ROLE_ADMISSION_PENDING', { retryable: true, retryAfterSeconds: 4, statusUrl: '/v4/x' }),
    );
    const { stderr, exitCode } = await client(true, 'create', '--request', request);
    expect(exitCode).toBe(8);
    expect(stderr).toMatch(
      /^The service refused the request\. \(MULTI_ROLE_CLIENT_REFUSED\)\n {2}MULTI_ROLE_ADMISSION_PENDING \(HTTP 503\)/,
    );
    expect(stderr).toMatch(
      /ask again after 4 s\n.*\/v4\/x\n(?:.*\n)*A launch may have been reserved\. Send the same file under the same key again:\n {2}multi-role-client create --request /,
    );
  });

  it('does not print the key that the service repeats', async () => {
    server.answer = json(401, fixtureError('UNAUTHENTICATED', { message: `no such key: ${KEY}` }));
    const { stderr } = await client(true, 'list');
    expect(stderr).toContain('no such key: [redacted]');
  });
});

describe('foreign text', () => {
  it.each(['\u001b[2J', '\u0007', '\r', '\n', '\u202e', '\u200b', '\u2028', '\u009b31m', '\ud800'])(
    '%j is shown and not interpreted',
    (character) => {
      expect(plain(`a${character}b`)).not.toContain(character.slice(0, 1));
      expect(table([['name', `x${character}y`]]).split('\n')).toHaveLength(2);
    },
  );

  it('does not reach a terminal from an answer', async () => {
    server.answer = json(200, { ...launch, statusReason: '\u001b]0;owned\u0007' });
    expect((await client(true, 'get', ...id)).stdout).toMatch(/^status +reserved: \ufffd\]0;owned\ufffd$/m);
  });
});
