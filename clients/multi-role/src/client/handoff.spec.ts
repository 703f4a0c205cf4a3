import { canonicalizeJson } from '@launch/contracts/json';
import type { CreateRequest, WalletHandoff } from '@launch/contracts/multi-role';
import { keccak256Hex, sha256Digest } from '@launch/contracts/primitives';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../fixtures/bundle.fixture.js';
import { fixtureLaunch, fixtureWallet } from '../fixtures/launch-answers.fixture.js';
import { fixtureConfig } from '../fixtures/reference.fixture.js';
import { packRequest } from '../packer/pack-request.js';
import { runClient, type ClientRun } from './client.cli.js';

const root = temporaryFolder();
let folder: string;
let bytes: Uint8Array;
let request: CreateRequest;
const at = (name: string): string => join(folder, name);

/** Within the window of the fixture's request. */
const OPEN = 1_767_225_700_000;

beforeAll(async () => {
  bytes = packRequest(canonicalizeJson(await fixtureConfig('buy'))).bytes;
  request = JSON.parse(Buffer.from(bytes).toString());
});
beforeEach(() => {
  folder = mkdtempSync(join(root.path, 'run-'));
  writeFileSync(at('request.json'), bytes);
});
afterAll(() => root.remove());

/** The hand-off that the service gives for the request. */
function handoff(): WalletHandoff {
  const wallet = fixtureWallet(fixtureLaunch(bytes));
  return {
    ...wallet,
    requestSha256: sha256Digest(bytes),
    requestHash: keccak256Hex(bytes),
    contextHash: request.contextCommitments.contextHash,
    ...request.permitWindow,
    walletTransaction: {
      ...wallet.walletTransaction,
      from: request.launchWallet,
      to: request.context.chainBindings.router,
      value: request.funding.totalValueWei,
    },
  };
}

function run(command: string, kept: unknown, now = OPEN, ...more: string[]): Promise<ClientRun> {
  writeFileSync(at('wallet.json'), typeof kept === 'string' ? kept : JSON.stringify(kept));
  const clock = { now: () => now, sleep: () => Promise.resolve() };
  const terminal = { stdout: false, stderr: false, say: () => undefined, clock };
  const files = ['--request', at('request.json'), '--handoff', at('wallet.json')];
  return runClient([command, ...files, ...more], {}, undefined, terminal);
}

const places = ({ stderr }: ClientRun): string[] =>
  JSON.parse(stderr).findings.map(({ path }: { path: string }) => path);

describe('check-handoff', () => {
  it('accepts the hand-off of the request, without a service or a key', async () => {
    const checked = await run('check-handoff', handoff());
    expect(checked).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(checked.stdout)).toMatchObject({
      command: 'check-handoff',
      httpStatus: null,
      response: { schemaVersion: 'service.multi-role-handoff-check.v1', deadline: request.permitWindow.deadline },
    });
  });

  it.each<[string, (kept: WalletHandoff) => object]>([
    ['/requestSha256', () => ({ requestSha256: `sha256:${'0'.repeat(64)}` })],
    ['/requestHash', () => ({ requestHash: `0x${'0'.repeat(64)}` })],
    ['/contextHash', () => ({ contextHash: `0x${'0'.repeat(64)}` })],
    ['/validAfter', () => ({ validAfter: '1767225601' })],
    ['/deadline', () => ({ deadline: '1767229201' })],
    [
      '/walletTransaction/from',
      (kept) => ({ walletTransaction: { ...kept.walletTransaction, from: `0x${'1'.repeat(40)}` } }),
    ],
    [
      '/walletTransaction/to',
      (kept) => ({ walletTransaction: { ...kept.walletTransaction, to: `0x${'1'.repeat(40)}` } }),
    ],
    ['/walletTransaction/value', (kept) => ({ walletTransaction: { ...kept.walletTransaction, value: '1' } })],
  ])('refuses a hand-off with another %s', async (place, change) => {
    const kept = handoff();
    const refused = await run('check-handoff', { ...kept, ...change(kept) });
    expect([refused.exitCode, refused.stdout, places(refused)]).toEqual([3, '', [place]]);
    expect(JSON.parse(refused.stderr).code).toBe('MULTI_ROLE_CLIENT_HANDOFF_INVALID');
  });

  it('refuses a hand-off whose window is over', async () => {
    const refused = await run('check-handoff', handoff(), Number(request.permitWindow.deadline) * 1_000);
    expect([refused.exitCode, places(refused)]).toEqual([3, ['/deadline']]);
  });

  it('names the option whose file is no hand-off', async () => {
    expect(places(await run('check-handoff', '{"a":'))).toEqual(['--handoff']);
    const { permitDigest: _, ...partial } = handoff();
    expect(places(await run('check-handoff', partial))).toEqual(['--handoff /permitDigest']);
  });
});

describe('wallet-request', () => {
  it('gives the parameter of eth_sendTransaction and keeps it in a file', async () => {
    const given = await run('wallet-request', handoff(), OPEN, '--save-response', at('send.json'));
    expect(given).toMatchObject({ exitCode: 0, stderr: '' });
    const expected = {
      from: request.launchWallet,
      to: request.context.chainBindings.router,
      value: '0x2386f26fc10000',
      data: '0x00',
      chainId: '0x1237',
    };
    expect(JSON.parse(given.stdout).response).toEqual(expected);
    expect(JSON.parse(readFileSync(at('send.json'), 'utf8'))).toEqual(expected);
  });

  it('gives nothing of a hand-off that is not of the request', async () => {
    const refused = await run(
      'wallet-request',
      { ...handoff(), deadline: '1767229201' },
      OPEN,
      '--save-response',
      at('send.json'),
    );
    expect([refused.exitCode, refused.stdout]).toEqual([3, '']);
    expect(() => readFileSync(at('send.json'))).toThrow('ENOENT');
  });
});
