import { createKeccak } from 'hash-wasm';
import { bytesToHex, concatBytes, concatHex, hexToBytes } from 'viem';
import type { Address, Hex } from 'viem';
import type { JsonRpcClient } from '../anvil/json-rpc.client.js';
import type { Artifacts } from '../artifacts.js';
import { creationOf, sendAll } from './deployment.js';
import type { DeployedContract, DeploymentKeys } from './deployment.js';

/** Anvil's built-in deterministic deployer: salt and creation code in, CREATE2 out. */
const CREATE2_DEPLOYER: Address = '0x4e59b44847b379578588920ca78fbf26c0b4956c';
/** Permissions of the engine as a hook, in the low 14 bits of its address. */
const HOOK_FLAGS = 0b10_1010_1100_1100;
const HOOK_FLAG_MASK = 0b11_1111_1111_1111;
const DEPLOY_GAS = 14_000_000n;

/** Deploys the engine over the registry of the native launchers; the owner is the platform's wallet. */
export async function deployModuleEngine(
  l2: JsonRpcClient,
  artifacts: Artifacts,
  keys: DeploymentKeys,
  { poolManager, moduleRegistry }: Readonly<Record<string, DeployedContract>>,
): Promise<Readonly<Record<string, Address>>> {
  const args = [poolManager?.address, moduleRegistry?.address, keys.owner.address];
  const { data } = creationOf(artifacts.moduleEngineV1, args);
  const { salt, address } = await flaggedPlace(data);
  await sendAll(l2, 4663, keys.owner, [{ to: CREATE2_DEPLOYER, data: concatHex([salt, data]), gas: DEPLOY_GAS }]);
  return { moduleEngineV1: address };
}

/**
 * Finds the first salt whose address has the permissions: some ten thousand tries, in WebAssembly because every fresh chain
 * makes them.
 */
async function flaggedPlace(creation: Hex): Promise<{ readonly salt: Hex; readonly address: Address }> {
  const keccak = await createKeccak(256);
  const codeHash = keccak.update(hexToBytes(creation)).digest('binary');
  const preimage = concatBytes([Uint8Array.of(0xff), hexToBytes(CREATE2_DEPLOYER), new Uint8Array(32), codeHash]);
  const salt = preimage.subarray(21, 53);
  const counter = new DataView(salt.buffer, salt.byteOffset + 28, 4);
  for (let tried = 0; ; tried += 1) {
    counter.setUint32(0, tried);
    const hash = keccak.init().update(preimage).digest('binary');
    const flags = new DataView(hash.buffer, hash.byteOffset + 30, 2).getUint16(0);
    if ((flags & HOOK_FLAG_MASK) === HOOK_FLAGS)
      return { salt: bytesToHex(salt), address: bytesToHex(hash.subarray(12)) };
  }
}
