import { recoverPermitSigner, type Hex } from '@launch/evm';
import { keccak256 } from 'viem/utils';
import { SignerError } from './signer.errors.js';

/** The permit authority's signing port. Its holder can authorize launches, so only permit custody holds one. */
export interface PermitSigner {
  /** Lowercase address of the authority. */
  readonly address: Hex;
  /**
   * Signs a permit by its EIP-712 encoding: `0x1901`, the domain's hash, the permit's hash, 66 bytes of hex. The
   * signature is 65 bytes r, s, v with a low s and a v of 27 or 28. A repetition may give another signature of the same
   * digest, so callers keep the first. Throws SignerError.
   */
  signPermit(encoding: Hex): Promise<Hex>;
  /** Resolves if the signer could sign now. Throws SignerError. */
  check(): Promise<void>;
}

/** A permit to sign, for signers that hash by themselves and for those that expect a digest. */
export interface SigningInput {
  readonly encoding: Hex;
  /** keccak256 of the encoding. */
  readonly digest: Hex;
}

/** One way of signing, before the guard. */
export interface SigningMethod {
  readonly sign: (input: SigningInput) => Promise<Hex>;
  readonly check: () => Promise<void>;
}

const ENCODING_FORM = /^0x1901[0-9a-f]{128}$/;

/**
 * Enforces the port's contract around any way of signing. Accepts EIP-712 encodings only, so the key signs neither a
 * transaction nor a bare digest. Checks each signature against the router's own rule and this signer's address before
 * returning it, so a fault or a foreign key yields an error and never a wrong permit.
 */
export function guardedSigner(address: Hex, { sign, check }: SigningMethod): PermitSigner {
  return Object.freeze({
    address,
    check,
    async signPermit(encoding: Hex): Promise<Hex> {
      if (!ENCODING_FORM.test(encoding)) throw new SignerError('SIGNER_INPUT_INVALID');
      const digest = keccak256(encoding);
      const signature = await sign({ encoding, digest });
      if (!recoversTo(address, digest, signature)) throw new SignerError('SIGNER_SIGNATURE_WRONG');
      return signature;
    },
  });
}

function recoversTo(address: Hex, digest: Hex, signature: Hex): boolean {
  try {
    return recoverPermitSigner(digest, signature) === address;
  } catch {
    return false;
  }
}
