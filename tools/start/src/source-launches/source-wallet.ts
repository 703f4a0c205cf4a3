import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IndexedChain } from '@launch/contracts/index';
import type { Stack } from '../stack.schema.js';
import {
  createPublicClient,
  createWalletClient,
  decodeFunctionResult,
  defineChain,
  encodeDeployData,
  http,
  parseEther,
  type Abi,
  type Hex,
  type PrivateKeyAccount,
  type TransactionReceipt,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { ReferenceLaunchError } from '../reference-launch/reference-launch.js';

const ARTIFACTS = path.resolve(import.meta.dirname, '../../../../solidity/artifacts');
/** Enough for some launches of several million gas each, on chains whose gas costs next to nothing. */
const PURSE = parseEther('1');
/** The same for a wallet of Ethereum, purchases included. */
export const LAUNCH_FUNDS = parseEther('10');

const POLL_MS = 100;

/** A compiled contract. */
export interface Compiled {
  readonly abi: Abi;
  readonly creationCode: Hex;
}

export const compiled = async (name: string): Promise<Compiled> =>
  JSON.parse(await readFile(path.join(ARTIFACTS, `${name}.json`), 'utf8')) as Compiled;

/** A transaction to send. Set `gas` for one that must fail. */
export interface Sent {
  readonly to?: Hex;
  readonly data?: Hex;
  readonly value?: bigint;
  readonly gas?: bigint;
}

/** The wallet of an independent launcher, with its own key and endpoint, unknown to the service. */
export interface SourceWallet {
  readonly account: PrivateKeyAccount;
  /** Sends and waits for the block, without reading the receipt, which may be tens of megabytes. */
  sendUnread(transaction: Sent): Promise<void>;
  /** Sends and waits for the block, with any outcome of the transaction. */
  submit(transaction: Sent): Promise<TransactionReceipt>;
  /** @throws ReferenceLaunchError for a transaction that reverts. */
  send(transaction: Sent): Promise<TransactionReceipt>;
  /** @param wei sent along to the new contract. */
  deploy(contract: Compiled, args?: readonly unknown[], wei?: bigint): Promise<Hex>;
  /** Returns the answer of a view function. */
  read(contract: Hex, abi: Abi, functionName: string, args?: readonly unknown[]): Promise<Hex>;
  /** Simulates a call by `from` now and returns its answer. The account needs no funds. */
  simulated<Answer>(from: Hex, call: Required<Omit<Sent, 'gas'>>, abi: Abi, functionName: string): Promise<Answer>;
  /** Time of the latest block, Unix seconds. */
  now(): Promise<bigint>;
}

function walletOf(stack: Pick<Stack, 'rpc'>, account: PrivateKeyAccount, chainId: IndexedChain = 4663): SourceWallet {
  const url = stack.rpc[`${chainId}`][0] as string;
  const chain = defineChain({
    id: chainId,
    name: 'launch',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
  });
  const transport = http(url);
  const wallet = createWalletClient({ account, chain, transport });
  const reader = createPublicClient({ chain, transport, pollingInterval: POLL_MS, cacheTime: 0 });
  const submit = async (transaction: Sent): Promise<TransactionReceipt> =>
    reader.waitForTransactionReceipt({ hash: await wallet.sendTransaction(transaction as never) });
  const send = async (transaction: Sent): Promise<TransactionReceipt> => {
    const receipt = await submit(transaction);
    if (receipt.status !== 'success')
      throw new ReferenceLaunchError(`transaction ${receipt.transactionHash} of a source launch reverted`);
    return receipt;
  };
  return {
    account,
    async sendUnread(transaction) {
      const hash = await wallet.sendTransaction(transaction as never);
      while ((await reader.getTransaction({ hash })).blockNumber === null) await sleep(POLL_MS);
    },
    submit,
    send,
    read: async (address, abi, functionName, args = []) =>
      (await reader.readContract({ address, abi, functionName, args } as never)) as Hex,
    async simulated<Answer>(from: Hex, call: Required<Omit<Sent, 'gas'>>, abi: Abi, functionName: string) {
      const stateOverride = [{ address: from, balance: call.value + PURSE }];
      const { data = '0x' } = await reader.call({ account: from, ...call, stateOverride });
      return decodeFunctionResult({ abi, functionName, data }) as Answer;
    },
    now: async () => (await reader.getBlock()).timestamp,
    async deploy({ abi, creationCode }, args = [], value = 0n) {
      const data = encodeDeployData({ abi, bytecode: creationCode, args });
      const { contractAddress } = await send({ data, value });
      if (contractAddress == null) throw new ReferenceLaunchError('a deployment made no contract');
      return contractAddress.toLowerCase() as Hex;
    },
  };
}

/** New wallets, each with a purse from the stack's controller. */
export async function newWallets(stack: Stack, count: number): Promise<readonly SourceWallet[]> {
  if (stack.controller === null) throw new ReferenceLaunchError('this stack has no controller of its own');
  const key = (await readFile(stack.controller.privateKeyFile, 'utf8')).trim() as Hex;
  const controller = walletOf(stack, privateKeyToAccount(key));
  const wallets: SourceWallet[] = [];
  for (let made = 0; made < count; made += 1) {
    const account = privateKeyToAccount(generatePrivateKey());
    await controller.send({ to: account.address, value: PURSE });
    wallets.push(walletOf(stack, account));
  }
  return wallets;
}

/** Creates a wallet on the development chain that replaces Ethereum, which has no controller to fund it. */
export async function walletOnEthereum(stack: Pick<Stack, 'rpc' | 'faults'>, wei: bigint): Promise<SourceWallet> {
  const account = privateKeyToAccount(generatePrivateKey());
  const funded = await fetch(`${stack.faults}/chains/1/fund`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ address: account.address.toLowerCase(), wei: wei.toString() }),
  });
  if (!funded.ok) throw new ReferenceLaunchError(`a wallet of Ethereum was not funded: ${await funded.text()}`);
  return walletOf(stack, account, 1);
}
