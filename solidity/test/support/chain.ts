/** One anvil of chain 4663 on a free port, spoken to in plain JSON-RPC; a block is mined for each transaction. */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { decodeFunctionResult, encodeDeployData, encodeFunctionData, toHex } from 'viem';
import type { Address, Hex } from 'viem';
import { artifact } from './artifacts.js';
import type { Artifact } from './artifacts.js';
import { refusalOf } from './refusals.js';

export interface Transaction {
  from: Address;
  to?: Address;
  data?: Hex;
  value?: bigint;
}

export interface Log {
  address: Address;
  topics: [Hex, ...Hex[]];
  data: Hex;
  logIndex: Hex;
}
export interface Receipt {
  status: Hex;
  contractAddress: Address | null;
  logs: Log[];
  transactionHash: Hex;
  transactionIndex: Hex;
  blockHash: Hex;
  blockNumber: Hex;
  gasUsed: Hex;
}

/** State and block overrides of an eth_call, as JSON-RPC takes them. */
export interface Overrides {
  state?: Record<Address, { code?: Hex; balance?: Hex; stateDiff?: Record<Hex, Hex> }>;
  block?: { time?: Hex };
}

export class RpcError extends Error {
  constructor(
    message: string,
    readonly data: Hex | undefined,
  ) {
    super(message);
  }
}

const gas = toHex(28_000_000);
const wire = (tx: Transaction) => ({ ...tx, value: toHex(tx.value ?? 0n), gas });

export class Chain {
  private nextId = 1;
  private constructor(
    private readonly url: string,
    private readonly stop: () => Promise<void>,
  ) {}

  static async start(chainId = 4663, hardfork: 'cancun' | 'prague' = 'cancun'): Promise<Chain> {
    const architecture = process.arch === 'arm64' ? 'arm64' : 'amd64';
    const binary = createRequire(import.meta.url).resolve(
      `@foundry-rs/anvil-${process.platform}-${architecture}/bin/anvil`,
    );
    const child = spawn(binary, ['--port', '0', '--chain-id', String(chainId), '--hardfork', hardfork, '--no-mining'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const kill = () => child.kill('SIGKILL');
    process.once('exit', kill);
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    const url = await new Promise<string>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', () => reject(new Error('anvil ended before it listened')));
      createInterface({ input: child.stdout }).on('line', (line) => {
        const address = /^Listening on (\S+)/.exec(line)?.[1];
        if (address) resolve(`http://${address}`);
      });
    });
    // A run that fails before it closes the chain must still be able to end; the exit handler then kills anvil.
    child.unref();
    (child.stdout as Socket).unref();
    return new Chain(url, async () => {
      process.removeListener('exit', kill);
      kill();
      await exited;
    });
  }

  close(): Promise<void> {
    return this.stop();
  }

  async rpc<T>(method: string, ...params: unknown[]): Promise<T> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: this.nextId++, method, params });
    const response = await fetch(this.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const answer = (await response.json()) as { result: T; error?: { message: string; data?: Hex } };
    if (answer.error) throw new RpcError(answer.error.message, answer.error.data);
    return answer.result;
  }

  /** Sends from an unlocked account, mines one block and returns the mined receipt with any status. */
  async submit(tx: Transaction): Promise<Receipt> {
    return this.mined(await this.rpc<Hex>('eth_sendTransaction', wire(tx)));
  }

  /** Sends a signed transaction, mines one block and returns the mined receipt with any status. */
  async submitRaw(signed: Hex): Promise<Receipt> {
    return this.mined(await this.rpc<Hex>('eth_sendRawTransaction', signed));
  }

  private async mined(hash: Hex): Promise<Receipt> {
    await this.rpc('evm_mine');
    const receipt = await this.rpc<Receipt | null>('eth_getTransactionReceipt', hash);
    if (receipt === null) throw new Error('the block was mined without the transaction');
    return receipt;
  }

  /** Submits a transaction that must succeed; the error for a revert has its reason. */
  async send(tx: Transaction): Promise<Receipt> {
    const receipt = await this.submit(tx);
    if (receipt.status === '0x1') return receipt;
    throw new Error(`reverted: ${(await this.refusal(tx)).join(' < ')}`);
  }

  async deploy(from: Address, contract: Artifact, args: unknown[] = [], value = 0n): Promise<Address> {
    const data = encodeDeployData({ abi: contract.abi, bytecode: contract.creationCode, args });
    const { contractAddress } = await this.send({ from, data, value });
    if (contractAddress === null) throw new Error('no contract address');
    return contractAddress.toLowerCase() as Address;
  }

  /** Result of a call that must succeed. */
  call(tx: Transaction, overrides: Overrides = {}): Promise<Hex> {
    return this.rpc<Hex>('eth_call', wire(tx), 'latest', overrides.state ?? {}, overrides.block ?? {});
  }

  /** Names of the errors a call reverts with, outermost first; empty if it succeeds. */
  async refusal(tx: Transaction, overrides: Overrides = {}): Promise<string[]> {
    try {
      await this.call(tx, overrides);
      return [];
    } catch (error) {
      if (error instanceof RpcError && error.data !== undefined) return refusalOf(error.data);
      throw error;
    }
  }

  async read<T>(to: Address, contract: string, functionName: string, args: unknown[] = []): Promise<T> {
    const { abi } = artifact(contract);
    const data = await this.call({ from: to, to, data: encodeFunctionData({ abi, functionName, args }) });
    return decodeFunctionResult({ abi, functionName, data }) as T;
  }

  async balance(account: Address): Promise<bigint> {
    return BigInt(await this.rpc<Hex>('eth_getBalance', account, 'latest'));
  }

  code(account: Address): Promise<Hex> {
    return this.rpc<Hex>('eth_getCode', account, 'latest');
  }

  async time(): Promise<bigint> {
    return BigInt((await this.rpc<{ timestamp: Hex }>('eth_getBlockByNumber', 'latest', false)).timestamp);
  }
}
