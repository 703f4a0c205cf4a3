import { keccak256Bytes } from '@launch/contracts/primitives';
import { HOOK_FLAG_MASK, NATIVE_FEE_HOOK_FLAGS } from '../../create2/hook-flags.js';
import { bytesOfHex, type Hex } from '../../encoding/hex.js';

/** The inputs that decide where a native launcher deploys the hook of a wallet's launch. */
export interface HookPlace {
  readonly launcher: Hex;
  readonly launchWallet: Hex;
  /** keccak-256 of the hook's creation code, which is the same for every launch. */
  readonly hookInitCodeHash: Hex;
}

/**
 * Finds a recipe's salt that gives the launch's hook an address with the fee kernel's permissions; one in 16,384 salts
 * does. The launcher deploys by CREATE2 under the launch key, keccak256(abi.encode(launchWallet, salt)).
 * @param from the first salt to try, so that one wallet's launches differ.
 */
export function nativeHookSalt({ launcher, launchWallet, hookInitCodeHash }: HookPlace, from: bigint): Hex {
  const key = new Uint8Array(64);
  key.set(bytesOfHex(launchWallet), 12);
  key.set(bytesOfHex(wordOf(from)), 32);
  const place = new Uint8Array(85);
  place[0] = 0xff;
  place.set(bytesOfHex(launcher), 1);
  place.set(bytesOfHex(hookInitCodeHash), 53);
  for (let tried = 0; ; tried += 1) {
    place.set(keccak256Bytes(key), 21);
    const address = keccak256Bytes(place);
    const flags = ((address[30]! << 8) | address[31]!) & HOOK_FLAG_MASK;
    if (flags === NATIVE_FEE_HOOK_FLAGS) return wordOf(from + BigInt(tried));
    increment(key);
  }
}

const wordOf = (salt: bigint): Hex => `0x${salt.toString(16).padStart(64, '0')}`;

/** Increments the number at the end of some bytes; zero follows the largest. */
function increment(bytes: Uint8Array): void {
  for (let at = bytes.length - 1; at >= 0; at -= 1) {
    bytes[at] = bytes[at]! + 1;
    if (bytes[at] !== 0) return;
  }
}
