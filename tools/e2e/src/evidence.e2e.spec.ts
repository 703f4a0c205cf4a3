import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { canonicalizeJson, parseStrictJson } from '@launch/contracts/json';
import {
  finalityEvidenceSchema,
  walletHandoffSchema,
  type FinalityEvidence,
  type LaunchResource,
  type WalletHandoff,
} from '@launch/contracts/multi-role';
import { sha256Digest } from '@launch/contracts/primitives';
import type { Verdict } from '@launch/verify';
import type { Hex } from '@launch/evm';
import { sendFromController } from '@launch/start';
import { PATIENCE_MS, type HandedOff } from './fixtures/launcher.fixture.js';
import type { StackAccess } from './stacks/own-stack.js';
import { useStack } from './stacks/use-stack.js';
import { launchApi } from './launch-api.js';
import { packReference } from './reference-request.js';

/**
 * Checks that an owner can make without trusting the service: the wallet file against the original request, and the evidence of
 * finality against itself. Both use the published command, on files that the published client saved.
 */
const root = path.resolve(import.meta.dirname, '../../..');
const run = promisify(execFile);

let stack: StackAccess;
let folder: string;
let key: string;
let request: Uint8Array;
let launch: HandedOff;
let evidence: FinalityEvidence;
const at = (name: string): string => path.join(folder, name);

const environment = (): NodeJS.ProcessEnv => ({ SERVICE_API_BASE_URL: stack.gateway, SERVICE_API_KEY: key });
const client = (...args: string[]) =>
  run(process.execPath, [path.join(root, 'clients/multi-role/bundles/client.mjs'), ...args], { env: environment() });

/** Runs the command, without access to the network's addresses or the environment of this machine. */
async function verify(...args: string[]): Promise<{ code: number; verdict: Verdict }> {
  const command = run(process.execPath, [path.join(root, 'clients/verify/dist/main.js'), ...args], {
    env: {},
    maxBuffer: 64 * 1024 * 1024,
  });
  const { code, stdout } = await command.then(
    ({ stdout: text }) => ({ code: 0, stdout: text }),
    (error: { code: number; stdout: string }) => error,
  );
  return { code, verdict: JSON.parse(stdout) as Verdict };
}

const failed = ({ checks }: Verdict): string[] =>
  (checks ?? []).filter(({ verdict }) => verdict === 'fail').map(({ check }) => check);

beforeAll(async () => {
  stack = await useStack('launches');
  folder = await mkdtemp(path.join(tmpdir(), 'launch-evidence-'));
  key = await stack.issueKey({ scopes: ['custom-launch:create', 'custom-launch:read'] });
  const api = launchApi(stack.gateway, key);
  const now = BigInt(Math.floor(Date.now() / 1000));
  ({ bytes: request } = await packReference({
    context: await api.context(),
    wallet: stack.controller as Hex,
    nonce: 1n,
    validAfter: now - 30n,
    deadline: now + 1_800n,
  }));
  const created = await api.create(request, `e2e-${randomUUID()}`);
  expect(created.status).toBe(202);
  launch = (await api.until(
    (created.body as LaunchResource).launchId,
    ({ wallet, findings }) => wallet !== null || findings.length > 0,
    PATIENCE_MS,
  )) as HandedOff;
  await writeFile(at('request.json'), request);
  await client('get', '--launch-id', launch.launchId, '--save-wallet', at('wallet.json'));
  await expect(
    client('evidence', '--launch-id', launch.launchId, '--save-response', at('early.json')),
  ).rejects.toMatchObject({ code: 5 });
  await sendFromController(stack.stack, launch.wallet.walletTransaction);
  await api.until(launch.launchId, ({ status }) => status === 'finalized', PATIENCE_MS);
  const { stdout } = await client('evidence', '--launch-id', launch.launchId, '--save-response', at('evidence.json'));
  const bytes = await readFile(at('evidence.json'));
  expect((JSON.parse(stdout) as { response: unknown }).response).toMatchObject({
    contentSha256: sha256Digest(bytes),
    launch: { launchId: launch.launchId },
  });
  evidence = finalityEvidenceSchema.parse(parseStrictJson(bytes));
}, 300_000 + PATIENCE_MS);
afterAll(async () => {
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

describe('launch-verify handoff', () => {
  it('passes the saved wallet file of the original request', async () => {
    expect(await verify('handoff', at('request.json'), at('wallet.json'))).toMatchObject({
      code: 0,
      verdict: { verdict: 'pass', details: { permitDigest: launch.wallet.permitDigest } },
    });
  });

  it.each<[string, (wallet: WalletHandoff) => void, string]>([
    ['another sender', (w) => void (w.walletTransaction.from = `0x${'9'.repeat(40)}`), 'transaction.from'],
    ['another receiver', (w) => void (w.walletTransaction.to = `0x${'9'.repeat(40)}`), 'transaction.to'],
    ['another value', (w) => void (w.walletTransaction.value = '1'), 'transaction.value'],
    [
      'another byte of calldata',
      (w) =>
        void (w.walletTransaction.data =
          `${w.walletTransaction.data.slice(0, 2_000)}${w.walletTransaction.data[2_000] === '1' ? '2' : '1'}${w.walletTransaction.data.slice(2_001)}` as Hex),
      'calldata.bytes',
    ],
    ['a longer window', (w) => void (w.deadline = `${BigInt(w.deadline) + 1n}`), 'handoff.deadline'],
    ['another digest', (w) => void (w.permitDigest = `0x${'9'.repeat(64)}`), 'handoff.permitDigest'],
  ])('fails %s', async (title, tamper, check) => {
    const wallet = walletHandoffSchema.parse(parseStrictJson(await readFile(at('wallet.json'))));
    tamper(wallet);
    const file = at(`${title.replaceAll(' ', '-')}.json`);
    await writeFile(file, canonicalizeJson(wallet));
    const { code, verdict } = await verify('handoff', at('request.json'), file);
    expect(code).toBe(3);
    // A byte inside an encoded length breaks the canonical form; anywhere else it makes another call.
    expect(
      failed(verdict).some((name) => name === check || (check === 'calldata.bytes' && name === 'calldata.canonical')),
    ).toBe(true);
  });

  it('reports usage errors and unreadable files by their codes', async () => {
    await expect(
      run(process.execPath, [path.join(root, 'clients/verify/dist/main.js'), 'handoff', at('request.json')]),
    ).rejects.toMatchObject({ code: 2 });
    await expect(
      run(process.execPath, [
        path.join(root, 'clients/verify/dist/main.js'),
        'handoff',
        at('request.json'),
        at('absent.json'),
      ]),
    ).rejects.toMatchObject({ code: 11 });
  });
});

describe('launch-verify evidence', () => {
  it('passes the downloaded bundle under its digest and its file name', async () => {
    const bytes = await readFile(at('evidence.json'));
    const digest = sha256Digest(bytes);
    const { code, verdict } = await verify('evidence', '--digest', digest, at('evidence.json'));
    expect(failed(verdict)).toEqual([]);
    expect({ code, verdict }).toMatchObject({
      code: 0,
      verdict: {
        verdict: 'pass',
        details: { sha256: digest, launchId: launch.launchId, onchainLaunchId: launch.onchainLaunchId },
      },
    });
    const named = at(`${digest.slice(7)}.json`);
    await writeFile(named, Buffer.concat([bytes.subarray(0, -1), Buffer.from(' }')]));
    expect((await verify('evidence', named)).code).toBe(3);
    expect(evidence.handoff).toEqual(launch.wallet);
  });

  it("binds the bundle to the owner's request, and to the chains by the answers of their nodes", async () => {
    const blockHash = async (chain: '1' | '4663', number: string): Promise<string> => {
      const call = {
        jsonrpc: '2.0',
        id: 1,
        method: 'eth_getBlockByNumber',
        params: [`0x${BigInt(number).toString(16)}`, false],
      };
      const answer = await fetch(stack.stack.rpc[chain][0]!, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(call),
      });
      return ((await answer.json()) as { result: { hash: string } }).result.hash;
    };
    const { inclusion, checkpoint } = evidence.conclusion;
    const pins = [
      '--request',
      at('request.json'),
      '--checkpoint',
      await blockHash('1', checkpoint!.blockNumber),
      '--l2-block',
      await blockHash('4663', inclusion!.blockNumber),
    ];
    const digest = sha256Digest(await readFile(at('evidence.json')));
    const { code, verdict } = await verify('evidence', '--digest', digest, ...pins, at('evidence.json'));
    expect({ code, failed: failed(verdict), proves: verdict.details['proves'] }).toMatchObject({
      code: 0,
      failed: [],
      proves: expect.arrayContaining([expect.stringContaining('Ethereum block whose hash you gave')]),
    });
    const parent = await blockHash('1', `${BigInt(checkpoint!.blockNumber) - 1n}`);
    expect(failed((await verify('evidence', '--checkpoint', parent, at('evidence.json'))).verdict)).toEqual([
      'pin.checkpoint',
    ]);
  });
});
