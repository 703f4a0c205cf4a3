import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { encodeFunctionData, parseAbi } from 'viem';
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { DevnetDescription, Truth } from '../src/index.js';

/** Anyone may call it and it logs: the smallest transaction with an event. */
const poolManagerAbi = parseAbi(['function setOperator(address operator, bool approved) returns (bool)']);

export interface RpcReply {
  readonly id?: unknown;
  readonly result?: any;
  readonly error?: { readonly code: number; readonly message: string };
}

export async function withTemporaryDir<T>(use: (dir: string) => Promise<T>): Promise<T> {
  const dir = await mkdtemp(join(tmpdir(), 'launch-devnet-'));
  try {
    return await use(dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

export async function ask(url: string, method: string, ...params: unknown[]): Promise<RpcReply> {
  const response = await post(url, { jsonrpc: '2.0', id: 1, method, params });
  if (response.status !== 200) throw new Error(`HTTP ${response.status}`);
  return (await response.json()) as RpcReply;
}

export async function call(url: string, method: string, ...params: unknown[]): Promise<any> {
  const reply = await ask(url, method, ...params);
  if (reply.error !== undefined) throw new Error(`${method}: ${reply.error.message}`);
  return reply.result;
}

export function post(url: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });
}

export async function admin(
  devnet: DevnetDescription,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: any }> {
  const response = await fetch(devnet.faultsUrl + path, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

export async function putFaults(devnet: DevnetDescription, id: string, faults: unknown): Promise<void> {
  const chain = id.startsWith('l1') ? '1' : '4663';
  const { status, body } = await admin(devnet, 'PUT', `/faults/${chain}/${id}`, faults);
  if (status !== 200) throw new Error(JSON.stringify(body));
}

export async function truth(devnet: DevnetDescription, transactionHash: string): Promise<Truth> {
  return (await admin(devnet, 'GET', `/truth/${transactionHash}`)).body as Truth;
}

/** Asks again until there is an answer other than null; fails with what was waited for. */
export async function until<T>(what: string, read: () => Promise<T | null>, timeoutMs = 60_000): Promise<T> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const value = await read();
    if (value !== null) return value;
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`);
    await delay(50);
  }
}

export function untilState(
  devnet: DevnetDescription,
  transactionHash: string,
  ...states: Truth['state'][]
): Promise<Truth> {
  return until(`${transactionHash} to be ${states.join(' or ')}`, async () => {
    const now = await truth(devnet, transactionHash);
    return states.includes(now.state) ? now : null;
  });
}

let lastOperator = 0;

/** Sends one logging transaction from the controller through a provider; resolves to its hash without waiting for it. */
export async function sendLogging(devnet: DevnetDescription, url: string): Promise<Hex> {
  const account = privateKeyToAccount((await readFile(devnet.controller.privateKeyFile, 'utf8')) as Hex);
  lastOperator += 1;
  const operator: Hex = `0x${lastOperator.toString(16).padStart(40, '0')}`;
  const raw = await account.signTransaction({
    type: 'eip1559',
    chainId: 4663,
    nonce: Number(await call(devnet.rawRpc['4663'], 'eth_getTransactionCount', account.address, 'pending')),
    to: devnet.contracts.poolManager.address,
    data: encodeFunctionData({ abi: poolManagerAbi, functionName: 'setOperator', args: [operator, true] }),
    gas: 200_000n,
    maxFeePerGas: 100_000_000_000n,
    maxPriorityFeePerGas: 0n,
  });
  return (await call(url, 'eth_sendRawTransaction', raw)) as Hex;
}
