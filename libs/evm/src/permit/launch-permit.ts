import { concatHex, hashStruct, hashTypedData } from 'viem/utils';
import { EvmError } from '../evm.error.js';
import type { Hex } from '../encoding/hex.js';
import type { LaunchPermit, RouterIdentity } from '../launch-call/launch.types.js';
import type { LaunchPermitV1 } from '../router-v1/router-v1.types.js';

/** EIP-712 types of the launch permit, in the order in which the router hashes them. */
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

/** The types of router V1's permit: the same, plus the mode of the launch. */
export const LAUNCH_PERMIT_V1_TYPES = {
  LaunchPermitV1: [
    ...LAUNCH_PERMIT_TYPES.LaunchPermit,
    { name: 'profile', type: 'bytes32' },
    { name: 'mode', type: 'uint8' },
    { name: 'stepsHash', type: 'bytes32' },
  ],
} as const;

const DOMAIN_TYPES = {
  EIP712Domain: [
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
    { name: 'chainId', type: 'uint256' },
    { name: 'verifyingContract', type: 'address' },
  ],
} as const;

/** A router's EIP-712 domain, in the form of `eth_signTypedData_v4` and viem. */
interface PermitDomain<Name extends string, Version extends string> {
  readonly name: Name;
  readonly version: Version;
  readonly chainId: bigint;
  readonly verifyingContract: Hex;
}

/** The typed data of a permit. */
export interface LaunchPermitTypedData {
  readonly domain: PermitDomain<'Service Multi Role Launch Router', '2'>;
  readonly types: typeof LAUNCH_PERMIT_TYPES;
  readonly primaryType: 'LaunchPermit';
  readonly message: LaunchPermit;
}

/** The typed data of a permit of router V1. */
export interface LaunchPermitV1TypedData {
  readonly domain: PermitDomain<'Service Launch Router', '1'>;
  readonly types: typeof LAUNCH_PERMIT_V1_TYPES;
  readonly primaryType: 'LaunchPermitV1';
  readonly message: LaunchPermitV1;
}

const domainOf = <Name extends string, Version extends string>(
  name: Name,
  version: Version,
  { chainId, router }: RouterIdentity,
): PermitDomain<Name, Version> => ({ name, version, chainId, verifyingContract: router });

/** Returns the EIP-712 typed data of a permit for one router on one chain. */
export function permitTypedData(identity: RouterIdentity, permit: LaunchPermit): LaunchPermitTypedData {
  return {
    domain: domainOf('Service Multi Role Launch Router', '2', identity),
    types: LAUNCH_PERMIT_TYPES,
    primaryType: 'LaunchPermit',
    message: permit,
  };
}

/** Returns the EIP-712 typed data of a permit for one router V1 on one chain. */
export function permitV1TypedData(identity: RouterIdentity, permit: LaunchPermitV1): LaunchPermitV1TypedData {
  return {
    domain: domainOf('Service Launch Router', '1', identity),
    types: LAUNCH_PERMIT_V1_TYPES,
    primaryType: 'LaunchPermitV1',
    message: permit,
  };
}

/**
 * Returns `permitDigest`: the final EIP-712 digest, 32 bytes.
 * @throws {EvmError} `LAUNCH_VALUE_OUT_OF_RANGE` for values that the types cannot hold.
 */
export function permitDigest(identity: RouterIdentity, permit: LaunchPermit): Hex {
  return inRange(() => hashTypedData(permitTypedData(identity, permit)));
}

/**
 * Returns the EIP-712 encoding of a permit: `0x1901`, the domain's hash, the permit's hash. Its keccak256 is
 * `permitDigest`. For signers that hash by themselves.
 * @throws {EvmError} as `permitDigest`.
 */
export const permitEncoding = (identity: RouterIdentity, permit: LaunchPermit): Hex =>
  encodingOf(permitTypedData(identity, permit), () =>
    hashStruct({ data: permit, primaryType: 'LaunchPermit', types: LAUNCH_PERMIT_TYPES }),
  );

/** Returns the same encoding for a permit of router V1. @throws {EvmError} as `permitDigest`. */
export const permitV1Encoding = (identity: RouterIdentity, permit: LaunchPermitV1): Hex =>
  encodingOf(permitV1TypedData(identity, permit), () =>
    hashStruct({ data: permit, primaryType: 'LaunchPermitV1', types: LAUNCH_PERMIT_V1_TYPES }),
  );

/** Returns the same digest for a permit of router V1. @throws {EvmError} as `permitDigest`. */
export function permitV1Digest(identity: RouterIdentity, permit: LaunchPermitV1): Hex {
  return inRange(() => hashTypedData(permitV1TypedData(identity, permit)));
}

function inRange(hash: () => Hex): Hex {
  try {
    return hash();
  } catch {
    throw new EvmError('LAUNCH_VALUE_OUT_OF_RANGE');
  }
}

function encodingOf({ domain }: LaunchPermitTypedData | LaunchPermitV1TypedData, hash: () => Hex): Hex {
  return inRange(() =>
    concatHex([
      '0x1901',
      hashStruct({ data: { ...domain }, primaryType: 'EIP712Domain', types: DOMAIN_TYPES }),
      hash(),
    ]),
  );
}
