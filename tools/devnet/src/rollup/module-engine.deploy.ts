import { concatHex, keccak256, toHex } from 'viem';
import type { Address, Hex } from 'viem';
import type { JsonRpcClient } from '../anvil/json-rpc.client.js';
import type { Artifacts } from '../artifacts.js';
import { creationOf, sendAll } from './deployment.js';
import type { DeployedContract, DeploymentKeys } from './deployment.js';

/** The deterministic deployer that anvil starts with: salt and creation code in, CREATE2 out. */
const CREATE2_DEPLOYER: Address = '0x4e59b44847b379578588920ca78fbf26c0b4956c';
/** Permissions of the engine as a hook, in the low 14 bits of its address. */
const HOOK_FLAGS = 0b10_1010_1100_1100;
const HOOK_FLAG_MASK = 0b11_1111_1111_1111;
const DEPLOY_GAS = 14_000_000n;

/** The engine over the registry of the native launchers; the owner is the platform's wallet. */
export async function deployModuleEngine(
  l2: JsonRpcClient,
  artifacts: Artifacts,
  keys: DeploymentKeys,
  { poolManager, moduleRegistry }: Readonly<Record<string, DeployedContract>>,
): Promise<Readonly<Record<string, Address>>> {
  const args = [poolManager?.address, moduleRegistry?.address, keys.owner.address];
  const { data } = creationOf(artifacts.moduleEngineV1, args);
  const { salt, address } = flaggedPlace(data);
  await sendAll(l2, 4663, keys.owner, [{ to: CREATE2_DEPLOYER, data: concatHex([salt, data]), gas: DEPLOY_GAS }]);
  return { moduleEngineV1: address };
}

/** The first salt whose address carries the permissions; some ten thousand tries. */
function flaggedPlace(creation: Hex): { readonly salt: Hex; readonly address: Address } {
  const codeHash = keccak256(creation);
  for (let tried = 0n; ; tried += 1n) {
    const salt = toHex(tried, { size: 32 });
    const hash = keccak256(concatHex(['0xff', CREATE2_DEPLOYER, salt, codeHash]));
    if ((Number.parseInt(hash.slice(-4), 16) & HOOK_FLAG_MASK) === HOOK_FLAGS)
      return { salt, address: `0x${hash.slice(26)}` };
  }
}
