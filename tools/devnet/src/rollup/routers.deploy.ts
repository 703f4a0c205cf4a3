import { encodeFunctionData, getContractAddress } from 'viem';
import type { Address } from 'viem';
import type { JsonRpcClient } from '../anvil/json-rpc.client.js';
import type { TransactionIntent } from '../anvil/transaction.sender.js';
import type { Artifact, Artifacts } from '../artifacts.js';
import type { KeyFile } from '../key.files.js';
import { create, creationOf, lower, nonceOf, sendAll } from './deployment.js';
import type { DeployedContract, DeploymentKeys } from './deployment.js';
import { routerAuthorityAbi } from './rollup.abi.js';

const CALL_GAS = 500_000n;
const AUTHORITY_SECONDS = 10n * 365n * 86_400n;

export async function deployRouterV1(
  l2: JsonRpcClient,
  artifacts: Artifacts,
  { owner, permitAuthority }: DeploymentKeys,
  { poolManager }: Readonly<Record<string, DeployedContract>>,
): Promise<{ routerV1: Address }> {
  return { routerV1: await routerV1On(l2, 4663, artifacts, { owner, permitAuthority }, poolManager?.address) };
}

export async function deployFirstEthereumRouter(
  l1: JsonRpcClient,
  artifacts: Artifacts,
  keys: DeploymentKeys,
): Promise<{ poolManagerL1: Address; retiredRouterL1: Address }> {
  const from = keys.batchPoster.address;
  const poolManagerL1 = await create(l1, 1, keys.batchPoster, creationOf(artifacts.poolManager, [from]));
  const retiredRouterL1 = await routerV1On(l1, 1, artifacts, ethereumKeys(keys), poolManagerL1);
  return { poolManagerL1, retiredRouterL1 };
}

/** The generation that followed: the same contract, whose runtime code differs by its own address. */
export async function deploySecondEthereumRouter(
  l1: JsonRpcClient,
  artifacts: Artifacts,
  keys: DeploymentKeys,
  { poolManagerL1 }: Readonly<Record<string, DeployedContract>>,
): Promise<{ routerL1: Address }> {
  return { routerL1: await routerV1On(l1, 1, artifacts, ethereumKeys(keys), poolManagerL1?.address) };
}

/** The batch poster owns the contracts on chain 1, where the owner has no ether. */
export const ethereumKeys = ({ batchPoster, permitAuthority }: DeploymentKeys) => ({
  owner: batchPoster,
  permitAuthority,
});

/** A router V1, or a later generation of it, that takes permits of the authority; its address. */
export async function routerV1On(
  rpc: JsonRpcClient,
  chainId: number,
  artifacts: Artifacts,
  { owner, permitAuthority }: Pick<DeploymentKeys, 'owner' | 'permitAuthority'>,
  poolManager: Address | undefined,
  artifact: Artifact = artifacts.routerV1,
): Promise<Address> {
  const from = owner.address;
  const router = lower(getContractAddress({ from, nonce: await nonceOf(rpc, from) }));
  await sendAll(rpc, chainId, owner, [
    creationOf(artifact, [poolManager, from]),
    registrationOf(permitAuthority, router),
  ]);
  return router;
}

/** The owner's call by which a router takes permits of this authority. */
export function registrationOf(authority: KeyFile, router: Address): TransactionIntent {
  const now = BigInt(Math.floor(Date.now() / 1000));
  return {
    to: router,
    data: encodeFunctionData({
      abi: routerAuthorityAbi,
      functionName: 'setAuthority',
      args: [authority.address, now - 60n, now + AUTHORITY_SECONDS],
    }),
    gas: CALL_GAS,
  };
}
