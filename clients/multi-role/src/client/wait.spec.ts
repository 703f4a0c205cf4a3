import { finding } from '@launch/contracts/errors';
import { type FinalityStatus, type LaunchResource, MULTI_ROLE_BASE_PATH } from '@launch/contracts/multi-role';
import type { Hex } from '@launch/contracts/primitives';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AnsweringServer, json, type Answering } from '../fixtures/answering-server.fixture.js';
import { temporaryFolder } from '../fixtures/bundle.fixture.js';
import {
  FIXTURE_LAUNCH_ID,
  fixtureError,
  fixtureFinality,
  fixtureLaunch,
  fixtureWallet,
} from '../fixtures/launch-answers.fixture.js';
import { runClient, type ClientRun } from './client.cli.js';

const REQUEST = Buffer.from('{}');
const KEY = 'sk-live-77aa01';
const HASH: Hex = `0x${'8'.repeat(64)}`;
const START = Date.parse('2026-01-01T00:00:00.000Z');
const observers = ['a', 'b'].map((id) => ({
  id,
  observedAt: '2026-01-01T00:00:00.000Z',
  responseSha256: `sha256:${'1'.repeat(64)}` as const,
}));
const inclusion = {
  blockNumber: '9',
  blockHash: HASH,
  transactionIndex: 0,
  transactionHash: HASH,
  receiptStatus: 'success' as const,
  logsSha256: `sha256:${'2'.repeat(64)}` as const,
  observers,
};
const posting = {
  sequencerInbox: `0x${'3'.repeat(40)}` as const,
  batchNumber: '4',
  batchTransactionHash: HASH,
  l1BlockNumber: '5',
  l1BlockHash: HASH,
  logIndex: 0,
  firstL2Block: '1',
  lastL2Block: '9',
  afterAcc: HASH,
  observers,
};

const launch = (change: Partial<LaunchResource>, finality: Partial<FinalityStatus> = {}): LaunchResource => ({
  ...fixtureLaunch(REQUEST),
  ...change,
  finality: { ...fixtureFinality(), ...finality },
});
const authorized = {
  ...fixtureLaunch(REQUEST),
  status: 'awaiting_wallet_signature' as const,
  wallet: fixtureWallet(fixtureLaunch(REQUEST)),
};
const included = launch({ status: 'submitted' }, { state: 'included', transactionHash: HASH as Hex, inclusion });
const finalized = launch(
  { status: 'finalized' },
  {
    state: 'ethereum_finalized',
    transactionHash: HASH as Hex,
    inclusion,
    posting,
    checkpoint: { blockNumber: '6', blockHash: HASH, epoch: null, observers },
    finalizedAt: '2026-01-01T00:20:00.000Z',
  },
);

const server = new AnsweringServer();
const root = temporaryFolder();
let origin: string;
beforeAll(async () => {
  origin = await server.start();
});
beforeEach(() => void (server.seen.length = 0));
afterAll(async () => {
  await server.stop();
  root.remove();
});

/** Serves the answers in order, repeating the last one. */
const answers = (...all: readonly Answering[]): void => {
  server.answer = (response, request) => all[Math.min(server.seen.length, all.length) - 1]!(response, request);
};
const says = (value: LaunchResource): Answering => json(200, value);

interface Waited extends ClientRun {
  readonly news: string[];
  readonly slept: number[];
}

/** Runs a wait whose clock advances only in its sleeps. */
async function wait(args: readonly string[], terminal = false): Promise<Waited> {
  const [news, slept]: [string[], number[]] = [[], []];
  let now = START;
  const clock = {
    now: () => now,
    sleep: (ms: number) => {
      slept.push(ms);
      now += ms;
      return Promise.resolve();
    },
  };
  const run = await runClient(['wait', ...args], { SERVICE_API_BASE_URL: origin, SERVICE_API_KEY: KEY }, undefined, {
    stdout: terminal,
    stderr: terminal,
    say: (text) => news.push(text),
    clock,
  });
  return { ...run, news, slept };
}
const until = (stage: string, ...more: string[]): string[] => [FIXTURE_LAUNCH_ID, '--until', stage, ...more];

describe('wait', () => {
  it('polls the launch until its stage, prints each change, and returns the last answer', async () => {
    answers(
      says(launch({})),
      says(launch({ status: 'admitting' })),
      says(launch({ status: 'admitting' })),
      says(authorized),
    );
    const run = await wait(until('authorized'));
    expect(run).toMatchObject({ exitCode: 0, stderr: '', slept: [2_000, 2_000, 2_000] });
    expect(run.news.map((text) => JSON.parse(text).waiting.status)).toEqual([
      'reserved',
      'admitting',
      'awaiting_wallet_signature',
    ]);
    expect(JSON.parse(run.stdout)).toMatchObject({
      schemaVersion: 'service.multi-role-client-result.v2',
      command: 'wait',
      httpStatus: 200,
      response: { status: 'awaiting_wallet_signature' },
    });
    expect(server.seen.map(({ method, url }) => `${method} ${url}`)).toEqual(
      Array.from({ length: 4 }, () => `GET ${MULTI_ROLE_BASE_PATH}/${FIXTURE_LAUNCH_ID}`),
    );
  });

  it('does not consider a launch authorized before its transaction is present', async () => {
    answers(says(launch({ status: 'authorized' })), says(authorized));
    expect(await wait(until('authorized'))).toMatchObject({ exitCode: 0, slept: [2_000] });
  });

  it('saves the wallet transaction when it is present', async () => {
    const folder = mkdtempSync(join(root.path, 'run-'));
    answers(says(launch({})), says(authorized));
    const run = await wait(
      until('authorized', '--save-wallet', join(folder, 'wallet.json'), '--save-response', join(folder, 'launch.json')),
    );
    expect(JSON.parse(run.stdout)).toMatchObject({ walletSaved: true, responseSaved: true });
    expect(JSON.parse(readFileSync(join(folder, 'wallet.json'), 'utf8'))).toEqual(authorized.wallet);
  });

  it.each<[string, LaunchResource]>([
    ['authorized', included],
    ['submitted', launch({ status: 'submitted' })],
    [
      'submitted',
      launch({ status: 'awaiting_wallet_signature' }, { state: 'included', transactionHash: HASH, inclusion }),
    ],
    ['included', included],
    ['posted', { ...included, finality: { ...included.finality, posting } as FinalityStatus }],
    ['included', finalized],
    ['posted', finalized],
    ['finalized', finalized],
  ])('until %s ends at once for a launch at that stage or a later one', async (stage, value) => {
    answers(says(value));
    expect(await wait(until(stage))).toMatchObject({ exitCode: 0, slept: [] });
  });

  it('refuses a state that claims the inclusion of a reverted transaction', async () => {
    const reverted = {
      state: 'included' as const,
      transactionHash: HASH,
      inclusion: { ...inclusion, receiptStatus: 'reverted' as const },
    };
    answers(says(launch({ status: 'submitted' }, reverted)));
    const { exitCode, stderr } = await wait(until('included'));
    expect([exitCode, stderr]).toEqual([10, expect.stringContaining('/finality/inclusion/receiptStatus')]);
  });

  it('polls more often as the estimate approaches, and at most every two seconds', async () => {
    const at = (seconds: number): Partial<FinalityStatus> => ({
      estimatedNextStageAt: new Date(START + seconds * 1_000).toISOString(),
      basis: 'rolling-p90',
    });
    const sent = (finality: Partial<FinalityStatus>): Answering => says(launch({ status: 'submitted' }, finality));
    answers(sent(at(600)), sent(at(80)), sent(at(81)), sent({ basis: 'overdue' }), sent({}), says(finalized));
    expect((await wait(until('finalized'))).slept).toEqual([60_000, 10_000, 5_500, 15_000, 5_000]);
  });

  it.each([
    ['a rate limit', json(429, fixtureError('RATE_LIMITED', { retryable: true, retryAfterSeconds: 7 })), [7_000]],
    ['an outage', json(503, fixtureError('SERVICE_UNAVAILABLE', { retryable: true, retryAfterSeconds: 30 })), [30_000]],
    ['a lost connection', ((response) => void response.destroy()) as Answering, [2_000]],
  ] as const)('polls again after %s, not before the permitted time', async (_what, passing, slept) => {
    answers(passing, says(authorized));
    expect(await wait(until('authorized'))).toMatchObject({ exitCode: 0, slept });
  });

  it.each([
    ['an unknown launch', json(404, fixtureError('NOT_FOUND')), 5],
    ['a revoked key', json(401, fixtureError('UNAUTHENTICATED')), 4],
    ['an answer about another launch', json(200, launch({ launchId: '0b8f6f0e-8f4e-4c7b-9a53-2f6f0f1f7a12' })), 10],
  ] as const)('ends at once with %s', async (_what, answer, exitCode) => {
    answers(answer);
    expect(await wait(until('finalized'))).toMatchObject({ exitCode, stdout: '', slept: [] });
  });

  it.each(['action_required', 'failed', 'expired'] as const)(
    'ends with 3 and the launch when that is %s before the stage',
    async (status) => {
      const findings =
        status === 'expired' ? [] : [finding('SIMULATION_REVERTED', '', { expected: 'at most 5', actual: '7' })];
      answers(says(launch({ status, findings })));
      const run = await wait(until('authorized'));
      expect(run.exitCode).toBe(3);
      expect(JSON.parse(run.stdout).response.status).toBe(status);
      expect(JSON.parse(run.stderr)).toMatchObject({
        code: 'MULTI_ROLE_CLIENT_LAUNCH_ENDED',
        submissionMayExist: false,
        findings: [
          status === 'expired'
            ? { path: '/status', message: 'is expired' }
            : { code: 'SIMULATION_REVERTED', actual: '7' },
        ],
      });
    },
  );

  it('prints the end of the launch once on a terminal', async () => {
    answers(says(launch({ status: 'action_required', findings: [finding('SIMULATION_REVERTED', '')] })));
    const run = await wait(until('authorized'), true);
    expect([run.exitCode, run.stdout.match(/SIMULATION_REVERTED/g)?.length, run.stderr]).toEqual([
      3,
      1,
      'The launch ended before the stage that was waited for. (MULTI_ROLE_CLIENT_LAUNCH_ENDED)\n',
    ]);
  });

  it('ends with 8 and the launch when the time is over, after a last poll', async () => {
    answers(says(launch({})));
    const run = await wait(until('authorized', '--timeout', '5'));
    expect(run).toMatchObject({ exitCode: 8, slept: [2_000, 2_000, 1_000] });
    expect(JSON.parse(run.stdout).response.status).toBe('reserved');
    expect(JSON.parse(run.stderr).code).toBe('MULTI_ROLE_CLIENT_STILL_RUNNING');
  });

  it('ends with the reason of the missing answers when the time is over', async () => {
    answers(json(503, fixtureError('SERVICE_UNAVAILABLE', { retryable: true, retryAfterSeconds: 10 })));
    expect(await wait(until('authorized', '--timeout', '5'))).toMatchObject({ exitCode: 8, stdout: '', slept: [] });
    answers((response) => void response.destroy());
    expect(await wait(until('authorized', '--timeout', '3'))).toMatchObject({
      exitCode: 9,
      stdout: '',
      slept: [2_000, 1_000],
    });
  });

  it.each([
    ['no stage', [FIXTURE_LAUNCH_ID]],
    ['another stage', until('admitted')],
    ['no launch', ['--until', 'finalized']],
    ['a launch twice', until('finalized', '--launch-id', FIXTURE_LAUNCH_ID)],
    ['a timeout of 0', until('finalized', '--timeout', '0')],
    ['a timeout without end', until('finalized', '--timeout', '86401')],
    ['two launches', [FIXTURE_LAUNCH_ID, FIXTURE_LAUNCH_ID, '--until', 'finalized']],
  ])('refuses %s as a usage error, and sends nothing', async (_what, args) => {
    expect(await wait(args)).toMatchObject({ exitCode: 2, stdout: '', news: [] });
    expect(server.seen).toHaveLength(0);
  });

  it('accepts the launch as an option too', async () => {
    answers(says(finalized));
    expect((await wait(['--launch-id', FIXTURE_LAUNCH_ID, '--until', 'finalized'])).exitCode).toBe(0);
  });

  it('prints stage and estimate in words on a terminal', async () => {
    answers(
      says(launch({ status: 'admitting', statusReason: 'CONTROLLER_FUNDS_MISSING' })),
      says(
        launch(
          { status: 'submitted' },
          { estimatedNextStageAt: new Date(START + 42_000).toISOString(), basis: 'configured-expectation' },
        ),
      ),
      says(finalized),
    );
    const run = await wait(until('finalized'), true);
    expect(run.news).toEqual([
      'admitting; CONTROLLER_FUNDS_MISSING\n',
      'submitted; next stage about 2026-01-01 00:00:42 UTC (in 40 s), configured-expectation\n',
      'finalized\n',
    ]);
    expect(run.stdout).toMatch(/^launch +0b8f6f0e.*\nstatus +finalized\n/);
    expect(existsSync('wallet.json')).toBe(false);
  });

  const page =
    (status: number, headers: Record<string, string> = {}): Answering =>
    (response) =>
      void response.writeHead(status, { 'content-type': 'text/html', ...headers }).end('<h1>Not here</h1>');
  const dropped: Answering = (response) => void response.destroy();

  it('outlives dropped connections and pages of proxies with growing pauses, and obeys their Retry-After', async () => {
    answers(says(launch({})), dropped, page(502), page(504), page(503, { 'retry-after': '30' }), says(authorized));
    const { exitCode, slept, news } = await wait(until('authorized'));
    expect([exitCode, slept, news.length]).toEqual([0, [2_000, 2_000, 4_000, 8_000, 30_000], 2]);
  });

  it.each<[string, Answering, number]>([
    ['proxies', page(503), 8],
    ['dropped connections', dropped, 9],
  ])('ends after --wait-max of %s', async (_what, answer, exitCode) => {
    answers(says(launch({})), answer);
    const run = await wait(until('authorized', '--wait-max', '20'));
    expect([run.exitCode, run.slept]).toEqual([exitCode, [2_000, 2_000, 4_000, 8_000, 6_000]]);
  });
});
