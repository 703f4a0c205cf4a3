import type { Hex } from '@launch/evm';
import { concatHex, keccak256, numberToHex, sliceHex } from 'viem/utils';

/**
 * Returns a salt of the controller: its first 20 bytes are the controller's address, as the router requires. 8 of the 12 free
 * ones come from the launch nonce, so that the same project launched again does not meet its own address. 4 count up.
 */
export function launchSalt(controller: Hex, nonce: bigint, counter: number): Hex {
  const ofNonce = sliceHex(keccak256(numberToHex(nonce, { size: 32 })), 0, 8);
  return concatHex([controller, ofNonce, numberToHex(counter, { size: 4 })]);
}
