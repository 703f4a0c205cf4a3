import { secp256k1 } from '@noble/curves/secp256k1.js';
import { hexToBytes, keccak256 } from 'viem/utils';
import { EvmError } from '../evm.error.js';
import { isHex, normalHex, type Hex } from '../encoding/hex.js';

/** The largest `s` that is accepted: half the order of secp256k1. */
export const MAX_SIGNATURE_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/**
 * Returns the address that signed a digest, by exactly the router's rule. A signature is 65 bytes (r, s, v) with `s` at
 * most half the curve's order and `v` 27 or 28. `ecrecover` recovers every signature that this accepts to the same
 * address.
 *
 * @param digest 32 bytes of hex.
 * @throws {EvmError} `HEX_INVALID` for the digest, else one of the `PERMIT_SIGNATURE_…` codes.
 */
export function recoverPermitSigner(digest: Hex, signature: string): Hex {
  const hash = hexToBytes(normalHex(digest, 32, 'digest'));
  if (!isHex(signature, 65)) throw new EvmError('PERMIT_SIGNATURE_LENGTH', 'signature');
  const bytes = hexToBytes(signature);
  const recoveryByte = bytes[64]!;
  if (recoveryByte !== 27 && recoveryByte !== 28) throw new EvmError('PERMIT_SIGNATURE_RECOVERY_BYTE', 'signature');
  if (BigInt(`0x${signature.slice(66, 130)}`) > MAX_SIGNATURE_S)
    throw new EvmError('PERMIT_SIGNATURE_HIGH_S', 'signature');
  const publicKey = recover(hash, bytes.subarray(0, 64), recoveryByte - 27);
  return `0x${keccak256(publicKey.subarray(1)).slice(26)}`;
}

function recover(hash: Uint8Array, compact: Uint8Array, recovery: number): Uint8Array {
  try {
    return secp256k1.Signature.fromCompact(compact).addRecoveryBit(recovery).recoverPublicKey(hash).toBytes(false);
  } catch {
    throw new EvmError('PERMIT_SIGNATURE_INVALID', 'signature');
  }
}
