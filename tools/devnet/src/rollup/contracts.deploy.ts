import { encodeDeployData, encodeFunctionData, getContractAddress, keccak256 } from 'viem';
import type { Address, Hex } from 'viem';
import { z } from 'zod';
import { receiptOf, sendTransaction } from '../anvil/transaction.sender.js';
import type { TransactionIntent } from '../anvil/transaction.sender.js';
import type { JsonRpcClient } from '../anvil/json-rpc.client.js';
import type { Artifacts } from '../artifacts.js';
import { DevnetError } from '../devnet.errors.js';
import type { KeyFile } from '../key.files.js';
import type { ChainId } from '../chain-id.js';
import { bridgeAbi, NODE_INTERFACE_ADDRESS, NODE_INTERFACE_CODE, routerAuthorityAbi } from './rollup.abi.js';

/** A contract and keccak256 of the code that stands at its address. */
export interface DeployedContract {
  readonly address: Address;
  readonly runtimeCodeHash: Hex;
}

export type ContractName = 'router' | 'poolManager' | 'sequencerInbox' | 'bridge';

export interface DevnetContracts extends Readonly<Record<ContractName, DeployedContract>> {
  /** Answered by the node itself; the code is Nitro's mark for such addresses. */
  readonly nodeInterface: DeployedContract;
}

export interface DeploymentKeys {
  readonly owner: KeyFile;
  readonly batchPoster: KeyFile;
  readonly permitAuthority: KeyFile;
}

const DEPLOY_GAS = 14_000_000n;
const CALL_GAS = 500_000n;
const AUTHORITY_SECONDS = 10n * 365n * 86_400n;

/** One step of what stands on the chains. The list only grows: a kept chain gets what it does not have yet. */
export interface Deployment {
  /** Never changed, and never given to another step. */
  readonly id: string;
  readonly chain: ChainId;
  deploy(rpc: JsonRpcClient, artifacts: Artifacts, keys: DeploymentKeys): Promise<Readonly<Record<string, Address>>>;
}

export const DEPLOYMENTS: readonly Deployment[] = [
  { id: 'rollup.v1', chain: '1', deploy: deployRollup },
  { id: 'launch.v1', chain: '4663', deploy: deployLaunchSide },
];

/** Brings one step onto its chain, by transactions; the contracts with their code as it stands there. */
export async function deploy(
  deployment: Deployment,
  rpc: JsonRpcClient,
  artifacts: Artifacts,
  keys: DeploymentKeys,
): Promise<Readonly<Record<string, DeployedContract>>> {
  const addresses = Object.entries(await deployment.deploy(rpc, artifacts, keys));
  return Object.fromEntries(
    await Promise.all(addresses.map(async ([name, at]) => [name, await describe(rpc, at)] as const)),
  );
}

/** @throws DevnetError `CHAINS_UNREADABLE` when a contract is missing. */
export function contractsOf(deployed: Readonly<Record<string, DeployedContract>>): DevnetContracts {
  const find = (name: ContractName): DeployedContract => {
    const contract = deployed[name];
    if (contract === undefined)
      throw new DevnetError('CHAINS_UNREADABLE', 'the journal of the chains names no such contract', {
        contract: name,
      });
    return contract;
  };
  return {
    router: find('router'),
    poolManager: find('poolManager'),
    sequencerInbox: find('sequencerInbox'),
    bridge: find('bridge'),
    nodeInterface: { address: NODE_INTERFACE_ADDRESS, runtimeCodeHash: keccak256(NODE_INTERFACE_CODE) },
  };
}

async function deployRollup(
  l1: JsonRpcClient,
  artifacts: Artifacts,
  keys: DeploymentKeys,
): Promise<{ bridge: Address; sequencerInbox: Address }> {
  // Another deployer than on L2, so that no contract has one address on both chains and a mix-up is seen.
  const from = keys.batchPoster.address;
  const nonce = await nonceOf(l1, from);
  const bridge = lower(getContractAddress({ from, nonce }));
  const sequencerInbox = lower(getContractAddress({ from, nonce: nonce + 1n }));
  const { abi, creationCode } = artifacts.sequencerInbox;
  await sendAll(l1, 1, keys.batchPoster, [
    { to: null, data: artifacts.bridge.creationCode, gas: DEPLOY_GAS },
    {
      to: null,
      data: encodeDeployData({ abi, bytecode: creationCode, args: [bridge, keys.batchPoster.address] }),
      gas: DEPLOY_GAS,
    },
    {
      to: bridge,
      data: encodeFunctionData({ abi: bridgeAbi, functionName: 'setSequencerInbox', args: [sequencerInbox] }),
      gas: CALL_GAS,
    },
  ]);
  return { bridge, sequencerInbox };
}

async function deployLaunchSide(
  l2: JsonRpcClient,
  artifacts: Artifacts,
  keys: DeploymentKeys,
): Promise<{ poolManager: Address; router: Address }> {
  const from = keys.owner.address;
  const nonce = await nonceOf(l2, from);
  const poolManager = lower(getContractAddress({ from, nonce }));
  const router = lower(getContractAddress({ from, nonce: nonce + 1n }));
  const now = BigInt(Math.floor(Date.now() / 1000));
  await sendAll(l2, 4663, keys.owner, [
    deployment(artifacts.poolManager, [from]),
    deployment(artifacts.router, [poolManager, from]),
    {
      to: router,
      data: encodeFunctionData({
        abi: routerAuthorityAbi,
        functionName: 'setAuthority',
        args: [keys.permitAuthority.address, now - 60n, now + AUTHORITY_SECONDS],
      }),
      gas: CALL_GAS,
    },
  ]);
  return { poolManager, router };
}

function deployment(
  artifact: { abi: Artifacts['router']['abi']; creationCode: Hex },
  args: unknown[],
): TransactionIntent {
  const data = encodeDeployData({ abi: artifact.abi, bytecode: artifact.creationCode, args });
  return { to: null, data, gas: DEPLOY_GAS };
}

async function nonceOf(rpc: JsonRpcClient, account: Address): Promise<bigint> {
  return BigInt(z.string().parse(await rpc.call('eth_getTransactionCount', account, 'latest')));
}

/** Addresses follow from the deployer's nonce, so nothing waits for a receipt. */
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
  // More than one block when the gas of all does not fit into one.
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

async function describe(rpc: JsonRpcClient, address: Address): Promise<DeployedContract> {
  const code = await rpc.call('eth_getCode', address, 'latest');
  if (typeof code !== 'string' || code.length <= 2) {
    throw new DevnetError('DEPLOYMENT_FAILED', 'a contract has no code', { address });
  }
  return { address, runtimeCodeHash: keccak256(code as Hex) };
}

function lower(address: Address): Address {
  return address.toLowerCase() as Address;
}
