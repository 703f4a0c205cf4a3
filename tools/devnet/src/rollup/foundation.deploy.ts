import { getContractAddress } from 'viem';
import type { Address } from 'viem';
import type { JsonRpcClient } from '../anvil/json-rpc.client.js';
import type { Artifacts } from '../artifacts.js';
import { creationOf, lower, nonceOf, sendAll } from './deployment.js';
import type { DeployedContract, DeploymentKeys } from './deployment.js';

/** Deploys Foundation factories of every release over one custody; the owner is the platform's wallet. */
export async function deployFoundation(
  l2: JsonRpcClient,
  artifacts: Artifacts,
  keys: DeploymentKeys,
  { poolManager }: Readonly<Record<string, DeployedContract>>,
): Promise<Readonly<Record<string, Address>>> {
  const owner = keys.owner.address;
  const first = await nonceOf(l2, owner);
  const at = (index: bigint): Address => lower(getContractAddress({ from: owner, nonce: first + index }));
  const foundationCustody = at(0n);
  const args = [poolManager?.address, foundationCustody, owner];
  await sendAll(l2, 4663, keys.owner, [
    creationOf(artifacts.foundationCustody, [poolManager?.address]),
    creationOf(artifacts.foundationFactoryV1, args),
    creationOf(artifacts.foundationFactoryV2, args),
    creationOf(artifacts.foundationFactoryV3, args),
  ]);
  return {
    foundationCustody,
    foundationFactoryV1: at(1n),
    foundationFactoryV2: at(2n),
    foundationFactoryV3: at(3n),
  };
}
