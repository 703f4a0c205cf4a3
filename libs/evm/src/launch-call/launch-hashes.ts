import { keccak256Hex } from '@launch/contracts/primitives';
import { concatHex, encodeAbiParameters, keccak256, toBytes } from 'viem/utils';
import { EvmError } from '../evm.error.js';
import { bytesOfHex, isHex, type Hex } from '../encoding/hex.js';
import type {
  LaunchCall,
  LaunchChild,
  LaunchComponent,
  LaunchExternal,
  LaunchPermit,
  PoolKey,
  RouterIdentity,
} from './launch.types.js';
import { ROUTER_V2_ABI } from './router-v2.abi.js';

/** `PROTOCOL()` of router V2: keccak-256 of the protocol's name (docs/reference/requests-and-hashes.md#three-launch-ids). */
export const ROUTER_V2_PROTOCOL: Hex = keccak256(toBytes('service.multi-role-launch-stamp-router.v2'));

const LAUNCH_INPUTS = ROUTER_V2_ABI.find((item) => item.type === 'function' && item.name === 'launch')!.inputs;
const [CALL, PERMIT] = LAUNCH_INPUTS;
const POOL_KEY = CALL.components[3];

const UINT8 = { type: 'uint8' } as const;
const UINT16 = { type: 'uint16' } as const;
const UINT32 = { type: 'uint32' } as const;
const UINT160 = { type: 'uint160' } as const;
const UINT256 = { type: 'uint256' } as const;
const ADDRESS = { type: 'address' } as const;
const BYTES32 = { type: 'bytes32' } as const;
const BYTES32_LIST = { type: 'bytes32[]' } as const;

/** keccak256(abi.encode(roleMask, salt, keccak256(initCode), runtimeCodeHash)): creation code enters as a hash. */
export function componentHash(component: LaunchComponent): Hex {
  requireInitCode(component);
  return encoded(() =>
    encodeAbiParameters(
      [UINT32, BYTES32, BYTES32, BYTES32],
      [component.roleMask, component.salt, keccakOf(component.initCode), component.runtimeCodeHash],
    ),
  );
}

/** keccak256(abi.encode(parentIndex, roleMask, account, runtimeCodeHash)). */
export function childHash(child: LaunchChild): Hex {
  return encoded(() =>
    encodeAbiParameters(
      [UINT16, UINT32, ADDRESS, BYTES32],
      [child.parentIndex, child.roleMask, child.account, child.runtimeCodeHash],
    ),
  );
}

/** keccak256(abi.encode(roleMask, account, runtimeCodeHash)). */
export function externalHash(external: LaunchExternal): Hex {
  return encoded(() =>
    encodeAbiParameters([UINT32, ADDRESS, BYTES32], [external.roleMask, external.account, external.runtimeCodeHash]),
  );
}

/** keccak256(abi.encode(bytes32[] components, bytes32[] children, bytes32[] externals)), each list in its order. */
export function graphHash(graph: Pick<LaunchCall, 'components' | 'children' | 'externals'>): Hex {
  return encoded(() =>
    encodeAbiParameters(
      [BYTES32_LIST, BYTES32_LIST, BYTES32_LIST],
      [graph.components.map(componentHash), graph.children.map(childHash), graph.externals.map(externalHash)],
    ),
  );
}

/** keccak256(abi.encode(PoolKey, uint160 sqrtPriceX96)): the pool and its start price. */
export function poolHash(pool: Pick<LaunchCall, 'poolKey' | 'sqrtPriceX96'>): Hex {
  return encoded(() => encodeAbiParameters([POOL_KEY, UINT160], [pool.poolKey, pool.sqrtPriceX96]));
}

/** Uniswap V4's pool id: keccak256(abi.encode(PoolKey)). It names no price. */
export function poolId(poolKey: PoolKey): Hex {
  return encoded(() => encodeAbiParameters([POOL_KEY], [poolKey]));
}

/** keccak256(abi.encode(LaunchCall)) as one tuple parameter, with its leading 0x20 word. */
export function callHash(call: LaunchCall): Hex {
  call.components.forEach(requireInitCode);
  return encoded(() => encodeAbiParameters([CALL], [call]));
}

/**
 * keccak256(abi.encode(graphHash, poolHash, callHash)): identifies the launched contracts independently of sender and
 * time.
 */
export function artifactHash(call: LaunchCall): Hex {
  return artifactHashOf({ graphHash: graphHash(call), poolHash: poolHash(call), callHash: callHash(call) });
}

/** Returns the same hash from its three known parts. */
export function artifactHashOf(parts: {
  readonly graphHash: Hex;
  readonly poolHash: Hex;
  readonly callHash: Hex;
}): Hex {
  return encoded(() =>
    encodeAbiParameters([BYTES32, BYTES32, BYTES32], [parts.graphHash, parts.poolHash, parts.callHash]),
  );
}

/** The launch's id on chain: keccak256(abi.encode(PROTOCOL, chainId, router, controller, nonce)), known before signing. */
export function onchainLaunchId(identity: RouterIdentity, controller: Hex, nonce: bigint): Hex {
  return encoded(() =>
    encodeAbiParameters(
      [BYTES32, UINT256, ADDRESS, ADDRESS, UINT256],
      [ROUTER_V2_PROTOCOL, identity.chainId, identity.router, controller, nonce],
    ),
  );
}

/** Returns the result of the router's `stampProof(launchId)`: keccak256(abi.encode(launchId, LaunchPermit)). */
export function stampProof(launchId: Hex, permit: LaunchPermit): Hex {
  return encoded(() => encodeAbiParameters([BYTES32, PERMIT], [launchId, permit]));
}

/**
 * Returns the result of `componentProof(launchId, account)`: keccak256(abi.encode(roleMask, runtimeCodeHash, scope,
 * resultIndex)).
 */
export function componentProof(roleMask: number, runtimeCodeHash: Hex, scope: number, resultIndex: number): Hex {
  return encoded(() =>
    encodeAbiParameters([UINT32, BYTES32, UINT8, UINT16], [roleMask, runtimeCodeHash, scope, resultIndex]),
  );
}

/** Returns `initCode`: creation bytecode followed by the ABI-encoded constructor arguments. */
export function initCodeOf(creationBytecode: Hex, constructorArgs: Hex): Hex {
  return concatHex([creationBytecode, constructorArgs]);
}

/** Refuses odd hex digits, which viem pads silently; no hash here may depend on padding. */
function requireInitCode(component: LaunchComponent): void {
  if (!isHex(component.initCode)) throw new EvmError('HEX_INVALID', 'initCode');
}

/** Hashes in WebAssembly rather than JavaScript, because creation code is tens of kilobytes. */
const keccakOf = (bytes: Hex): Hex => keccak256Hex(bytesOfHex(bytes));

/** Hashes an encoding. Reports a value that the ABI types cannot hold as `LAUNCH_VALUE_OUT_OF_RANGE`. */
export function encoded(encode: () => Hex): Hex {
  try {
    return keccakOf(encode());
  } catch (error) {
    if (error instanceof EvmError) throw error;
    throw new EvmError('LAUNCH_VALUE_OUT_OF_RANGE');
  }
}
