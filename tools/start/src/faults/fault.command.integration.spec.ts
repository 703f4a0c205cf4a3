import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startDevnet, type Devnet } from '@launch/devnet';
import { createPublicClient, decodeFunctionResult, encodeFunctionData, http, parseAbi, type Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { Stack } from '../stack.schema.js';
import { runFaultCommand, type Outcome } from './fault.command.js';
import { FAULT_NAMES } from './fault-kinds.js';

const feedAbi = parseAbi(['function latestRoundData() view returns (uint80, int256, uint256, uint256, uint80)']);
const TIMEOUT_MS = 120_000;

let root: string;
let dir: string;
let devnet: Devnet;
const stackOf = (faults: string | null): Stack => {
  const urls = (chain: '1' | '4663') => devnet.rpc[chain].map(({ url }) => url);
  return {
    schemaVersion: 'launch.stack.v1',
    ...{ gateway: 'http://127.0.0.1:1', site: 'http://127.0.0.1:1', devApi: 'http://127.0.0.1:1' },
    ...{ operations: 'http://127.0.0.1:1', reviewer: 'http://127.0.0.1:1' },
    temporal: { address: '', namespace: '', custodyNamespace: '', modulesNamespace: '', ui: null },
    rpc: { '4663': urls('4663'), '1': urls('1') },
    faults,
    controller: null,
    adminCommand: [],
    dataDir: dir,
  };
};
const describeStack = async (folder: string, faults: string | null): Promise<string> => {
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'stack.json'), JSON.stringify(stackOf(faults)));
  return folder;
};

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'dev-fault-'));
  dir = path.join(root, 'data');
  devnet = await startDevnet({ dir: path.join(root, 'chains'), keepState: false, finalitySeconds: 4, idleBlockMs: 0 });
  await describeStack(dir, devnet.faultsUrl);
}, TIMEOUT_MS);
afterEach(() => fault('--clear'));
afterAll(async () => {
  await devnet?.stop();
  await rm(root, { recursive: true, force: true });
});

const fault = (...args: string[]): Promise<Outcome> => runFaultCommand(args, dir);
/** Runs a command that must succeed. Returns its output. */
async function provoke(...args: string[]): Promise<string> {
  const outcome = await fault(...args);
  expect(outcome).toMatchObject({ exitCode: 0, stderr: '' });
  return outcome.stdout;
}
/** A provider as a client of the chain sees it. */
const provider = (chain: '1' | '4663', index: 0 | 1) =>
  createPublicClient({ transport: http(devnet.rpc[chain][index]!.url, { retryCount: 0, timeout: 2_000 }) });
const headOf = (chain: '1' | '4663', index: 0 | 1) => provider(chain, index).getBlockNumber({ cacheTime: 0 });
const finalized = async () => (await provider('1', 0).getBlock({ blockTag: 'finalized' })).number;
const hashAt = async (index: 0 | 1, blockNumber: bigint) =>
  (await provider('4663', index).getBlock({ blockNumber })).hash;

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 30_000; !(await condition()); await sleep(100))
    if (Date.now() > deadline) throw new Error('the chains did not get there');
}

async function priceOf(): Promise<{ answer: bigint; age: bigint }> {
  const { data } = await provider('4663', 0).call({
    to: devnet.contracts.priceFeedL2.address,
    data: encodeFunctionData({ abi: feedAbi, functionName: 'latestRoundData' }),
  });
  const [, answer, , updatedAt] = decodeFunctionResult({
    abi: feedAbi,
    functionName: 'latestRoundData',
    data: data as Hex,
  });
  const { timestamp } = await provider('4663', 0).getBlock();
  return { answer, age: timestamp - updatedAt };
}

/** Sends a transaction and waits for its block. */
async function sent(): Promise<Hex> {
  const account = privateKeyToAccount((await readFile(devnet.controller.privateKeyFile, 'utf8')).trim() as Hex);
  const client = provider('4663', 0);
  const raw = await account.signTransaction({
    type: 'eip1559',
    chainId: 4663,
    nonce: await client.getTransactionCount({ address: account.address }),
    to: account.address,
    gas: 100_000n,
    maxFeePerGas: 100_000_000_000n,
    maxPriorityFeePerGas: 0n,
  });
  const hash = await client.sendRawTransaction({ serializedTransaction: raw });
  await until(async () => (await client.getTransactionReceipt({ hash }).catch(() => null)) !== null);
  return hash;
}

describe('The command dev:fault', () => {
  it('makes a provider lag, lists that, and ends it', async () => {
    const before = await headOf('4663', 0);
    expect(await provoke('lag', '--blocks', '1000')).toMatch(/^lag: 1000 blocks behind on l2-b of chain 4663\.\n/);
    expect(await headOf('4663', 1)).toBeLessThan(before);
    expect(await headOf('4663', 0)).toBeGreaterThanOrEqual(before);
    expect(await provoke('--list')).toBe('lag            1000 blocks behind on l2-b of chain 4663\n');
    expect(await provoke('lag', '--clear')).toBe('lag: ended on l2-b of chain 4663.\n');
    expect(await headOf('4663', 1)).toBeGreaterThanOrEqual(before);
    expect(await provoke('--list')).toBe('There is no fault.\n');
  });

  it('makes a provider lie about blocks', async () => {
    const head = await headOf('4663', 0);
    await provoke('lie', '--about', 'blocks', '--provider', 'first');
    expect(await hashAt(0, head)).not.toBe(await hashAt(1, head));
    await provoke('lie', '--clear');
    expect(await hashAt(0, head)).toBe(await hashAt(1, head));
  });

  it('makes both providers fail, or the one that is named', async () => {
    await provoke('outage');
    for (const index of [0, 1] as const) await expect(headOf('4663', index)).rejects.toThrow('500');
    await provoke('--clear');
    await provoke('outage', '--chain', '1', '--provider', 'l1-a', '--how', 'reset');
    await expect(headOf('1', 0)).rejects.toThrow();
    expect(await headOf('1', 1)).toBeGreaterThan(0n);
  });

  it('holds the finality of Ethereum while its blocks continue', async () => {
    await provoke('hold-finality');
    const [held, head] = [await finalized(), await headOf('1', 0)];
    await until(async () => (await headOf('1', 0)) > head + 3n);
    expect(await finalized()).toBe(held);
    await provoke('hold-finality', '--clear');
    await until(async () => (await finalized()) > held);
  });

  it('makes a price stale or different, and restores it', async () => {
    const usual = await priceOf();
    await provoke('price-feed');
    expect(await priceOf()).toMatchObject({ answer: usual.answer });
    expect((await priceOf()).age).toBeGreaterThan(7_000n);
    expect(await provoke('price-feed', '--usd', '1234.5')).toMatch(/1234\.50 USD on the feed/);
    expect((await priceOf()).answer).toBe(123_450_000_000n);
    expect(await provoke('--list')).toMatch(/^price-feed +1234\.50 USD, \d+ seconds old, on the feed of chain 4663/);
    await provoke('--clear');
    expect(await priceOf()).toEqual({ answer: usual.answer, age: 0n });
  });

  it('replaces the block of a transaction, and sends the transaction again', async () => {
    await provoke('hold-finality');
    const hash = await sent();
    expect(await provoke('reorg', '--transaction', hash)).toMatch(
      /^reorg: chain 4663 replaced \d+ blocks from \d+; 1 trans/,
    );
    const receipt = () => provider('4663', 0).getTransactionReceipt({ hash });
    await expect(receipt()).rejects.toThrow('could not be found');
    await provoke('reorg', '--clear');
    await until(async () => (await receipt().catch(() => null)) !== null);
  });

  it.each([
    ['lag', ['lag', '--for', '1']],
    ['price-feed', ['price-feed', '--for', '1']],
    ['hold-finality', ['hold-finality', '--for', '1']],
  ])('ends %s by itself after the time of --for', async (_name, args) => {
    expect(await provoke(...args)).toContain('It ends by itself after 1 s');
    expect(await provoke('--list')).toMatch(/, until \d{4}-/);
    await until(async () => (await provoke('--list')) === 'There is no fault.\n');
  });

  it('sends dropped transactions again after the time of --for', async () => {
    const hash = await sent();
    await provoke('reorg', '--transaction', hash, '--for', '1');
    await until(async () => (await provoke('--list')) === 'There is no fault.\n');
    const receipt = () => provider('4663', 0).getTransactionReceipt({ hash });
    await until(async () => (await receipt().catch(() => null)) !== null);
  });

  it('refuses in one line a folder without a stack, foreign chains, a stopped stack and a finalized block', async () => {
    const refusal = async (args: readonly string[], folder: string) => {
      const { exitCode, stdout, stderr } = await runFaultCommand(args, folder);
      expect([exitCode, stdout]).toEqual([1, '']);
      return stderr;
    };
    expect(await refusal(['lag'], path.join(root, 'absent'))).toMatch(
      /^No stack runs in .*absent\. Start one with `npm start`/,
    );
    const foreign = await describeStack(path.join(root, 'foreign'), null);
    expect(await refusal(['lag'], foreign)).toMatch(/^The stack in .*foreign uses chains of your own/);
    const stopped = await describeStack(path.join(root, 'stopped'), 'http://127.0.0.1:1');
    expect(await refusal(['lag'], stopped)).toMatch(/does not answer\. Is the stack still running\?\n$/);
    expect(await refusal(['reorg', '--blocks', '100000'], dir)).toMatch(
      /^The fault control refused \(REORG_TOO_DEEP\)/,
    );
  });

  it.each<[string[], string]>([
    [[], 'Name a fault: '],
    [['lagg'], 'There is no fault lagg: use '],
    [['lag', 'lie'], 'One fault at a time: lie'],
    [['lag', '--usd', '1'], 'lag has no option --usd.'],
    [['lag', '--chain', '2'], '--chain is 4663 or 1, not 2.'],
    [['lag', '--blocks', '0'], '--blocks is a whole number from 1 to 100000, not 0.'],
    [['lag', '--for', '86401'], '--for is a whole number from 1 to 86400, not 86401.'],
    [['lag', '--provider', 'third'], 'Chain 4663 has no provider third: use first, second, both, l2-a or l2-b.'],
    [['lag', '--unknown'], "Unknown option '--unknown'"],
  ])('refuses %j with its reason', async (args, reason) => {
    expect(await fault(...args)).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining(reason) });
  });

  it('names every fault in its help, without a stack', async () => {
    const { exitCode, stdout } = await runFaultCommand(['-h'], path.join(root, 'absent'));
    expect(exitCode).toBe(0);
    for (const name of FAULT_NAMES) expect(stdout).toContain(`\n  ${name} `);
  });
});
