import { hashTypedData } from 'viem/utils';
import { EvmError } from '../evm.error.js';
import type { Hex } from '../encoding/hex.js';
import type { LaunchPermit, RouterIdentity } from '../launch-call/launch.types.js';

/** EIP-712 types of the launch permit, in the order that the router hashes them. */
export const LAUNCH_PERMIT_TYPES = {
  LaunchPermit: [
    { name: 'controller', type: 'address' },
    { name: 'requestHash', type: 'bytes32' },
    { name: 'contextHash', type: 'bytes32' },
    { name: 'economicsHash', type: 'bytes32' },
    { name: 'instructionPolicyHash', type: 'bytes32' },
    { name: 'graphHash', type: 'bytes32' },
    { name: 'poolHash', type: 'bytes32' },
    { name: 'callHash', type: 'bytes32' },
    { name: 'value', type: 'uint256' },
    { name: 'nonce', type: 'uint256' },
    { name: 'validAfter', type: 'uint64' },
    { name: 'deadline', type: 'uint64' },
  ],
} as const;

/** The typed data of a permit, as `eth_signTypedData_v4` and viem take it. */
export interface LaunchPermitTypedData {
  readonly domain: {
    readonly name: 'Service Multi Role Launch Router';
    readonly version: '2';
    readonly chainId: bigint;
    readonly verifyingContract: Hex;
  };
  readonly types: typeof LAUNCH_PERMIT_TYPES;
  readonly primaryType: 'LaunchPermit';
  readonly message: LaunchPermit;
}

/** The EIP-712 typed data of a permit for one router on one chain. */
export function permitTypedData(identity: RouterIdentity, permit: LaunchPermit): LaunchPermitTypedData {
  return {
    domain: {
      name: 'Service Multi Role Launch Router',
      version: '2',
      chainId: identity.chainId,
      verifyingContract: identity.router,
    },
    types: LAUNCH_PERMIT_TYPES,
    primaryType: 'LaunchPermit',
    message: permit,
  };
}

/**
 * `permitDigest`: the final EIP-712 digest, 32 bytes.
 * @throws {EvmError} `LAUNCH_VALUE_OUT_OF_RANGE` for what the types cannot hold.
 */
export function permitDigest(identity: RouterIdentity, permit: LaunchPermit): Hex {
  try {
    return hashTypedData(permitTypedData(identity, permit));
  } catch {
    throw new EvmError('LAUNCH_VALUE_OUT_OF_RANGE');
  }
}
