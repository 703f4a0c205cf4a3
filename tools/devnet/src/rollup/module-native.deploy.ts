import { encodeFunctionData, getContractAddress, keccak256, stringToHex } from 'viem';
import type { Address, Hex } from 'viem';
import type { JsonRpcClient } from '../anvil/json-rpc.client.js';
import type { Artifacts } from '../artifacts.js';
import { creationOf, lower, nonceOf, sendAll } from './deployment.js';
import type { DeployedContract, DeploymentKeys } from './deployment.js';

const CALL_GAS = 200_000n;
const idOf = (name: string): Hex => keccak256(stringToHex(name));

/** Packages that the development registry admits: the two small modules, each under its own family. */
export const ADMITTED_PACKAGES = {
  note: { packageId: idOf('note-module@1'), familyId: idOf('note-module') },
  opening: { packageId: idOf('opening-module@1'), familyId: idOf('opening-module') },
} as const;

/** Deploys native launchers with their registry and modules; the owner is the registry's and the platform's wallet. */
export async function deployModuleNative(
  l2: JsonRpcClient,
  artifacts: Artifacts,
  keys: DeploymentKeys,
  { poolManager }: Readonly<Record<string, DeployedContract>>,
): Promise<Readonly<Record<string, Address>>> {
  const owner = keys.owner.address;
  const first = await nonceOf(l2, owner);
  const at = (index: bigint): Address => lower(getContractAddress({ from: owner, nonce: first + index }));
  const moduleRegistry = at(0n);
  const admin = (functionName: string, args: readonly unknown[]) => ({
    to: moduleRegistry,
    data: encodeFunctionData({ abi: artifacts.moduleRegistry.abi, functionName, args }),
    gas: CALL_GAS,
  });
  await sendAll(l2, 4663, keys.owner, [
    creationOf(artifacts.moduleRegistry, [owner]),
    creationOf(artifacts.noteModule, []),
    creationOf(artifacts.openingModule, []),
    creationOf(artifacts.nativeLauncherV1, [poolManager?.address, moduleRegistry, owner]),
    creationOf(artifacts.nativeLauncherV2, [poolManager?.address, moduleRegistry, owner]),
    ...Object.values(ADMITTED_PACKAGES).flatMap(({ packageId, familyId }) => [
      admin('admit', [packageId, familyId]),
      admin('setRewardWallet', [familyId, keys.batchPoster.address]),
    ]),
  ]);
  return {
    moduleRegistry,
    noteModule: at(1n),
    openingModule: at(2n),
    nativeLauncherV1: at(3n),
    nativeLauncherV2: at(4n),
  };
}
