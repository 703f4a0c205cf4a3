import { encodeDeployData, getContractAddress, keccak256 } from 'viem';
import type { Address, Hex } from 'viem';
import { z } from 'zod';
import { receiptOf, sendTransaction } from '../anvil/transaction.sender.js';
import type { TransactionIntent } from '../anvil/transaction.sender.js';
import type { JsonRpcClient } from '../anvil/json-rpc.client.js';
import type { Artifact, Artifacts } from '../artifacts.js';
import type { ChainId } from '../chain-id.js';
import { DevnetError } from '../devnet.errors.js';
import type { KeyFile } from '../key.files.js';

const DEPLOY_GAS = 14_000_000n;

/** A contract and keccak256 of the code at its address. */
export interface DeployedContract {
  readonly address: Address;
  readonly runtimeCodeHash: Hex;
  /** The first block that can hold it. */
  readonly startBlock: number;
}

export interface DeploymentKeys {
  readonly owner: KeyFile;
  readonly batchPoster: KeyFile;
  readonly permitAuthority: KeyFile;
}

/** One deployment step. The list only grows: a kept chain receives the steps that it lacks. */
export interface Deployment {
  /** Never changed, and never given to another step. */
  readonly id: string;
  readonly chain: ChainId;
  /** @param deployed the contracts that earlier steps deployed, by name. */
  deploy(
    rpc: JsonRpcClient,
    artifacts: Artifacts,
    keys: DeploymentKeys,
    deployed: Readonly<Record<string, DeployedContract>>,
  ): Promise<Readonly<Record<string, Address>>>;
}

/** Runs one step on its chain by transactions. Returns the contracts with their deployed code. */
export async function deploy(
  deployment: Deployment,
  rpc: JsonRpcClient,
  artifacts: Artifacts,
  keys: DeploymentKeys,
  deployed: Readonly<Record<string, DeployedContract>>,
): Promise<Readonly<Record<string, DeployedContract>>> {
  const startBlock = (await rpc.head()) + 1;
  const addresses = Object.entries(await deployment.deploy(rpc, artifacts, keys, deployed));
  return Object.fromEntries(
    await Promise.all(addresses.map(async ([name, at]) => [name, await describe(rpc, at, startBlock)] as const)),
  );
}

/** Returns the transaction that creates a contract. */
export function creationOf(artifact: Artifact, args: readonly unknown[]): TransactionIntent {
  const data = encodeDeployData({ abi: artifact.abi, bytecode: artifact.creationCode, args });
  return { to: null, data, gas: DEPLOY_GAS };
}

/** Returns the next nonce of an account. */
export async function nonceOf(rpc: JsonRpcClient, account: Address): Promise<bigint> {
  return BigInt(z.string().parse(await rpc.call('eth_getTransactionCount', account, 'latest')));
}

/** Sends transactions without waiting for receipts, because addresses follow from the deployer's nonce. */
export async function sendAll(
  rpc: JsonRpcClient,
  chainId: number,
  deployer: KeyFile,
  intents: readonly TransactionIntent[],
): Promise<void> {
  const hashes: Hex[] = [];
  const first = Number(await nonceOf(rpc, deployer.address));
  for (const [index, intent] of intents.entries()) {
    hashes.push(await sendTransaction(rpc, chainId, deployer.account, { ...intent, nonce: first + index }));
  }
  // Mines more than one block if the gas of all exceeds one.
  for (let block = 0; block < intents.length; block++) await rpc.call('evm_mine');
  for (const [index, hash] of hashes.entries()) {
    const receipt = await receiptOf(rpc, hash);
    if (receipt?.status !== '0x1') {
      throw new DevnetError('DEPLOYMENT_FAILED', 'a deployment transaction failed', {
        chainId,
        index,
        transactionHash: hash,
      });
    }
  }
}

/** Creates one contract and returns its address. */
export async function create(
  rpc: JsonRpcClient,
  chainId: number,
  deployer: KeyFile,
  creation: TransactionIntent,
): Promise<Address> {
  const address = getContractAddress({ from: deployer.address, nonce: await nonceOf(rpc, deployer.address) });
  await sendAll(rpc, chainId, deployer, [creation]);
  return lower(address);
}

async function describe(rpc: JsonRpcClient, address: Address, startBlock: number): Promise<DeployedContract> {
  const code = await rpc.call('eth_getCode', address, 'latest');
  if (typeof code !== 'string' || code.length <= 2) {
    throw new DevnetError('DEPLOYMENT_FAILED', 'a contract has no code', { address });
  }
  return { address, runtimeCodeHash: keccak256(code as Hex), startBlock };
}

export function lower(address: Address): Address {
  return address.toLowerCase() as Address;
}
