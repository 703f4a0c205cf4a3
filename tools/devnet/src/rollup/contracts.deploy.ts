import { encodeDeployData, encodeFunctionData, getContractAddress, keccak256 } from 'viem';
import type { Address, Hex } from 'viem';
import { receiptOf, sendTransaction } from '../anvil/transaction.sender.js';
import type { TransactionIntent } from '../anvil/transaction.sender.js';
import type { JsonRpcClient } from '../anvil/json-rpc.client.js';
import type { Artifacts } from '../artifacts.js';
import { DevnetError } from '../devnet.errors.js';
import type { KeyFile } from '../key.files.js';
import { bridgeAbi, NODE_INTERFACE_ADDRESS, routerAuthorityAbi } from './rollup.abi.js';

/** A contract and keccak256 of the code that stands at its address. */
export interface DeployedContract {
  readonly address: Address;
  readonly runtimeCodeHash: Hex;
}

export interface DevnetContracts {
  readonly router: DeployedContract;
  readonly poolManager: DeployedContract;
  readonly sequencerInbox: DeployedContract;
  readonly bridge: DeployedContract;
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

/** Deploys everything in one block a chain: addresses follow from the deployers' nonces, so nothing waits for a receipt. */
export async function deployContracts(
  l1: JsonRpcClient,
  l2: JsonRpcClient,
  artifacts: Artifacts,
  keys: DeploymentKeys,
): Promise<DevnetContracts> {
  await l2.call('anvil_setCode', NODE_INTERFACE_ADDRESS, artifacts.nodeInterface.runtimeCode);
  const [rollup, launch] = await Promise.all([deployRollup(l1, artifacts, keys), deployLaunchSide(l2, artifacts, keys)]);
  const [bridge, sequencerInbox, poolManager, router, nodeInterface] = await Promise.all([
    describe(l1, rollup.bridge),
    describe(l1, rollup.sequencerInbox),
    describe(l2, launch.poolManager),
    describe(l2, launch.router),
    describe(l2, NODE_INTERFACE_ADDRESS),
  ]);
  return { router, poolManager, sequencerInbox, bridge, nodeInterface };
}

async function deployRollup(
  l1: JsonRpcClient,
  artifacts: Artifacts,
  keys: DeploymentKeys,
): Promise<{ bridge: Address; sequencerInbox: Address }> {
  // Another deployer than on L2, so that no contract has one address on both chains and a mix-up is seen.
  const from = keys.batchPoster.address;
  const bridge = lower(getContractAddress({ from, nonce: 0n }));
  const sequencerInbox = lower(getContractAddress({ from, nonce: 1n }));
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
  const poolManager = lower(getContractAddress({ from, nonce: 0n }));
  const router = lower(getContractAddress({ from, nonce: 1n }));
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

function deployment(artifact: { abi: Artifacts['router']['abi']; creationCode: Hex }, args: unknown[]): TransactionIntent {
  const data = encodeDeployData({ abi: artifact.abi, bytecode: artifact.creationCode, args });
  return { to: null, data, gas: DEPLOY_GAS };
}

async function sendAll(
  rpc: JsonRpcClient,
  chainId: number,
  deployer: KeyFile,
  intents: readonly TransactionIntent[],
): Promise<void> {
  const hashes: Hex[] = [];
  for (const [nonce, intent] of intents.entries()) {
    hashes.push(await sendTransaction(rpc, chainId, deployer.account, { ...intent, nonce }));
  }
  // More than one block when the gas of all does not fit into one.
  for (let block = 0; block < intents.length; block++) await rpc.call('evm_mine');
  for (const [index, hash] of hashes.entries()) {
    const receipt = await receiptOf(rpc, hash);
    if (receipt?.status !== '0x1') {
      throw new DevnetError('DEPLOYMENT_FAILED', 'a deployment transaction failed', { chainId, index, transactionHash: hash });
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
