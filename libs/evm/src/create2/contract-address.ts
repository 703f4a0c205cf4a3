import { concatHex, keccak256 } from 'viem/utils';
import { EvmError } from '../evm.error.js';
import { isHex, normalAddress, normalHex, type Hex } from '../encoding/hex.js';

/** The highest nonce an account can have (EIP-2681). */
const MAX_NONCE = 2n ** 64n - 2n;

/** A CREATE2 deployment, with the whole code or its keccak-256. */
export type Create2Deployment = { readonly deployer: Hex; readonly salt: Hex } & (
  | { readonly initCode: Hex }
  | { readonly initCodeHash: Hex }
);

/**
 * Returns the lowercase address of a CREATE2 deployment (EIP-1014).
 * @throws {EvmError} `ADDRESS_INVALID` or `HEX_INVALID`.
 */
export function predictedAddress(deployment: Create2Deployment): Hex {
  const codeHash =
    'initCode' in deployment
      ? keccak256(normalHex(deployment.initCode, undefined, 'initCode'))
      : normalHex(deployment.initCodeHash, 32, 'initCodeHash');
  const deployer = normalAddress(deployment.deployer, 'deployer');
  return lastTwentyBytes(keccak256(concatHex(['0xff', deployer, normalHex(deployment.salt, 32, 'salt'), codeHash])));
}

/**
 * Returns the address of the contract that `parent` creates by CREATE at `nonce`. A contract's nonce starts at 1
 * (EIP-161), so its first child has nonce 1.
 * @throws {EvmError} `ADDRESS_INVALID` or `NONCE_OUT_OF_RANGE`.
 */
export function childAddress(parent: Hex, nonce: bigint): Hex {
  if (nonce < 1n || nonce > MAX_NONCE) throw new EvmError('NONCE_OUT_OF_RANGE', 'nonce');
  const digits = nonce.toString(16);
  const bytes = digits.length % 2 === 0 ? digits : `0${digits}`;
  const encodedNonce = nonce < 0x80n ? bytes : `${(0x80 + bytes.length / 2).toString(16)}${bytes}`;
  const payload = `94${normalAddress(parent, 'parent').slice(2)}${encodedNonce}`;
  return lastTwentyBytes(keccak256(`0x${(0xc0 + payload.length / 2).toString(16)}${payload}`));
}

/**
 * The highest child nonce that `childNonce` tries. No recognised recipe has a constructor that creates more children.
 */
export const MAX_CHILD_NONCE = 64;

/** Returns the CREATE nonce (1 to 64) at which `parent` creates `account`, or `null`. */
export function childNonce(parent: Hex, account: Hex): number | null {
  const wanted = normalAddress(account, 'account');
  for (let nonce = 1; nonce <= MAX_CHILD_NONCE; nonce += 1) {
    if (childAddress(parent, BigInt(nonce)) === wanted) return nonce;
  }
  return null;
}

/**
 * Reports whether the first 20 bytes of a salt are the controller. The router requires this: otherwise a copy of a
 * pending launch could take its addresses.
 */
export function saltIsControllers(salt: Hex, controller: Hex): boolean {
  return isHex(salt, 32) && isHex(controller, 20) && salt.slice(0, 42).toLowerCase() === controller.toLowerCase();
}

function lastTwentyBytes(hash: Hex): Hex {
  return `0x${hash.slice(26)}`;
}
