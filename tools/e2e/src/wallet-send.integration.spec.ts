import { walletHandoffSchema, type WalletHandoff } from '@launch/contracts/multi-role';
import type { Hex } from '@launch/contracts/primitives';
import { stackSchema, type Stack } from '@launch/start';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startDevnet, type Devnet } from '@launch/devnet';
import { launchCommitments } from '@launch/evm';
import { walletTransactionOf } from '../../../apps/admission-worker/src/families/multi-role.launch.js';
import { buying } from './fixtures/launch-desk.fixture.js';
import { signedLaunch, type SignedLaunch } from './fixtures/signed-launch.fixture.js';
import { runTool, type ToolResult } from '../../start/src/reference-launch/run-tool.js';

/** Runs the command `wallet:send` against a development chain. */
const HOOKS = pathToFileURL(path.resolve(import.meta.dirname, '../../source-hooks.mjs')).href;
const COMMAND = [
  process.execPath,
  '--no-warnings',
  '--conditions=@launch/source',
  '--import',
  HOOKS,
  path.resolve(import.meta.dirname, '../../start/src/reference-launch/send.cli.ts'),
];

let devnet: Devnet;
let dir: string;
let window: { validAfter: bigint; deadline: bigint };

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'wallet-send-'));
  devnet = await startDevnet({ dir: path.join(dir, 'chains'), keepState: false });
  const urls = (chain: '1' | '4663'): [string, string] => [devnet.rpc[chain][0]!.url, devnet.rpc[chain][1]!.url];
  const stack: Stack = stackSchema.parse({
    schemaVersion: 'launch.stack.v1',
    gateway: '',
    site: '',
    devApi: '',
    operations: 'http://127.0.0.1:1',
    reviewer: 'http://127.0.0.1:1',
    temporal: { address: '', namespace: '', custodyNamespace: '', modulesNamespace: '', ui: null },
    rpc: { '1': urls('1'), '4663': urls('4663') },
    faults: null,
    controller: {
      address: devnet.controller.address.toLowerCase() as Hex,
      privateKeyFile: devnet.controller.privateKeyFile,
    },
    adminCommand: [],
    dataDir: dir,
  } satisfies Stack);
  await mkdir(dir, { recursive: true });
  await writeFile(path.join(dir, 'stack.json'), JSON.stringify(stack));
  const now = BigInt(Math.floor(Date.now() / 1000));
  window = { validAfter: now - 60n, deadline: now + 1_800n };
});
afterAll(async () => {
  await devnet?.stop();
  await rm(dir, { recursive: true, force: true });
});

async function send({ request, ref, signed }: SignedLaunch): Promise<ToolResult> {
  const block = `0x${'0'.repeat(64)}`;
  const at = new Date().toISOString();
  const handoff: WalletHandoff = walletHandoffSchema.parse({
    schemaVersion: 'service.multi-role-wallet-handoff.v2',
    requestSha256: ref.requestSha256,
    requestHash: ref.requestHash,
    contextHash: ref.contextHash,
    artifactHash: launchCommitments(request).artifactHash,
    permitDigest: signed.permitDigest,
    ...request.permitWindow,
    createdAt: at,
    simulation: { blockNumber: '1', blockHash: block as Hex, gasUsed: '1', simulatedAt: at },
    walletTransaction: walletTransactionOf(request, signed),
  } satisfies WalletHandoff);
  await writeFile(path.join(dir, 'wallet.json'), JSON.stringify(handoff));
  return runTool([...COMMAND, 'wallet.json'], { LAUNCH_DATA_DIR: dir, INIT_CWD: dir });
}

describe('wallet:send', () => {
  it('prints the full reason of a transaction that reverts, the way out and no calldata, and ends with 1', async () => {
    const greedy = await signedLaunch(devnet, 'zero', 1n, window, buying(10n ** 30n));
    const { exitCode, stdout, stderr } = await send(greedy);
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      /^The transaction reverts and was not sent: TooFewTokens\(minimumTokensOut: 1000000000000000000000000000000, tokenDelta: \d+\)\nExpected: at least 10{30} base units of the token from the first buy\nThe first buy gives \d+ base units\. .*\n$/,
    );
  });

  it('sends a transaction that does not revert, and reports its used nonce when it is sent again', async () => {
    const good = await signedLaunch(devnet, 'zero', 2n, window);
    expect(await send(good)).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^0x[0-9a-f]{64}\n$/),
      stderr: '',
    });
    // It reverts only once the launch is in a block, so the test waits for the chain.
    let again = await send(good);
    for (let tries = 0; tries < 20 && again.exitCode === 0; tries += 1) again = await send(good);
    expect(again).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(
        /^The transaction reverts and was not sent: NonceUsed\(controller: 0x[0-9a-f]{40}, nonce: 2\)\n/,
      ),
    });
  });

  it('prints in one line why any other transaction is not sent', async () => {
    const { exitCode, stderr } = await send(await signedLaunch(devnet, 'zero', 3n, window, buying(1n, 10n ** 30n)));
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^The transaction was not sent: [^\n]*\n$/);
    expect(stderr.length).toBeLessThan(400);
  });
});
