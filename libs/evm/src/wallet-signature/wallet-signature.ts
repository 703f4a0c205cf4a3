import type { Hex } from '@launch/contracts/primitives';
import { isHex, lowerHex } from '../encoding/hex.js';
import { EvmError } from '../evm.error.js';
import { MAX_SIGNATURE_S, recoverPermitSigner } from '../permit/permit-signature.js';

/** EIP-6492 ends a signature of a contract that is not deployed yet with these 32 bytes. */
const EIP_6492_SUFFIX = '6492'.repeat(16);
/** The `v` of each recovery bit: as `ecrecover` takes it, and as some hardware wallets return it. */
const RECOVERY_BITS: ReadonlyMap<number, 0 | 1> = new Map([
  [0, 0],
  [1, 1],
  [27, 0],
  [28, 1],
]);

/** A wallet's signature in the one form that records keep, or the name of an unsupported encoding. */
export type WalletSignature =
  | { readonly kind: 'supported'; readonly signature: Hex }
  | { readonly kind: 'unsupported'; readonly encoding: string };

/** The expected value in an error that names an encoding. */
export const SUPPORTED_SIGNATURES =
  'a signature by the private key of the account: 65 bytes r, s, v with a v of 27, 28, 0 or 1, or the 64 bytes of EIP-2098';

const unsupported = (encoding: string): WalletSignature => ({ kind: 'unsupported', encoding });

/**
 * Reads a signature of an account with a private key in the encodings that wallets return: 65 bytes with a `v` of 0, 1,
 * 27 or 28, and the 64 bytes of EIP-2098. Refuses a high `s`, as EIP-2 does for transactions, because it would give
 * each signature a second form.
 * @returns 65 bytes r, s, v with a low `s` and a `v` of 27 or 28, in lowercase.
 */
export function readWalletSignature(text: string): WalletSignature {
  if (!isHex(text)) return unsupported('text that is not hexadecimal bytes');
  const hex = lowerHex(text);
  const bytes = (hex.length - 2) / 2;
  if (hex.endsWith(EIP_6492_SUFFIX)) return unsupported('a signature of a contract that is not deployed (EIP-6492)');
  if (bytes === 64) return lowS(hex.slice(2, 66), BigInt(`0x${hex.slice(66)}`) & ~(1n << 255n), isHigh(hex[66]!));
  if (bytes !== 65) return unsupported(`${bytes} bytes: a signature of a contract (EIP-1271), or an unknown encoding`);
  const v = Number(`0x${hex.slice(130)}`);
  const bit = RECOVERY_BITS.get(v);
  if (bit === undefined) return unsupported(`65 bytes with a v of ${v}`);
  return lowS(hex.slice(2, 66), BigInt(`0x${hex.slice(66, 130)}`), bit);
}

/** Returns the highest bit of a word by its first digit. */
const isHigh = (digit: string): 0 | 1 => (digit >= '8' ? 1 : 0);

function lowS(r: string, s: bigint, bit: 0 | 1): WalletSignature {
  if (s > MAX_SIGNATURE_S) return unsupported('a signature with a high s (EIP-2)');
  return { kind: 'supported', signature: `0x${r}${s.toString(16).padStart(64, '0')}${bit === 0 ? '1b' : '1c'}` };
}

/**
 * Returns the address whose key signed a digest, or null for an unsupported encoding and for numbers with which no key
 * signs.
 * @throws {EvmError} `HEX_INVALID` for the digest.
 */
export function recoverWalletSigner(digest: Hex, text: string): Hex | null {
  const read = readWalletSignature(text);
  if (read.kind === 'unsupported') return null;
  try {
    return recoverPermitSigner(digest, read.signature);
  } catch (error) {
    if (error instanceof EvmError && error.code === 'PERMIT_SIGNATURE_INVALID') return null;
    throw error;
  }
}
