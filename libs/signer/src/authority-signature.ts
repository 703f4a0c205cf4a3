import { createPublicKey } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import type { Hex } from '@launch/evm';
import { bytesToHex, hexToBytes, keccak256 } from 'viem/utils';
import { SignerError } from './signer.errors.js';

/**
 * Returns the address of an uncompressed public key of 65 bytes.
 * @throws SignerError `SIGNER_KEY_INVALID` if it is not a point of secp256k1.
 */
export function authorityOf(publicKey: Uint8Array): Hex {
  try {
    const point = secp256k1.Point.fromBytes(publicKey).toBytes(false);
    return `0x${keccak256(point.subarray(1)).slice(26)}`;
  } catch {
    throw new SignerError('SIGNER_KEY_INVALID');
  }
}

/**
 * Returns the address of a public key in DER (SubjectPublicKeyInfo).
 * @throws SignerError `SIGNER_KEY_INVALID` if it is not a key of secp256k1.
 */
export function authorityOfSpki(spki: Uint8Array): Hex {
  const { crv, x, y } = jwkOf(spki);
  if (crv !== 'secp256k1' || x === undefined || y === undefined) throw new SignerError('SIGNER_KEY_INVALID');
  return authorityOf(Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]));
}

function jwkOf(spki: Uint8Array): { readonly crv?: string; readonly x?: string; readonly y?: string } {
  try {
    return createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' }).export({ format: 'jwk' });
  } catch {
    throw new SignerError('SIGNER_KEY_INVALID');
  }
}

/**
 * Completes `r` and `s` to the form that the router accepts: a low `s`, and the `v` that recovers to the authority.
 * @param given the signature in DER, or `r` and `s` of 32 bytes each.
 * @throws SignerError `SIGNER_SIGNATURE_WRONG` if no `v` recovers to the authority.
 */
export function authoritySignature(authority: Hex, digest: Hex, given: Uint8Array, format: 'der' | 'compact'): Hex {
  const signature = parsed(given, format).normalizeS();
  const hash = hexToBytes(digest);
  for (const recovery of [0, 1])
    if (recovered(signature.addRecoveryBit(recovery), hash) === authority)
      return `${bytesToHex(signature.toBytes('compact'))}${(27 + recovery).toString(16)}`;
  throw new SignerError('SIGNER_SIGNATURE_WRONG');
}

type Signature = ReturnType<typeof secp256k1.Signature.fromBytes>;

function parsed(given: Uint8Array, format: 'der' | 'compact'): Signature {
  try {
    return secp256k1.Signature.fromBytes(given, format);
  } catch {
    throw new SignerError('SIGNER_SIGNATURE_WRONG');
  }
}

/** Returns null for an `r` that belongs to no point. */
function recovered(
  signature: { recoverPublicKey(hash: Uint8Array): { toBytes(compressed: boolean): Uint8Array } },
  hash: Uint8Array,
): Hex | null {
  try {
    return authorityOf(signature.recoverPublicKey(hash).toBytes(false));
  } catch {
    return null;
  }
}
