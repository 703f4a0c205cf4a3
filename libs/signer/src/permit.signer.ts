import { recoverPermitSigner, type Hex } from '@launch/evm';
import { SignerError } from './signer.errors.js';

/** The permit authority's signing port. Its holder can authorize launches, so only permit custody holds one. */
export interface PermitSigner {
  /** Lowercase address of the authority. */
  readonly address: Hex;
  /**
   * Signs the final EIP-712 digest of a permit, 32 bytes of hex. The signature is 65 bytes r, s, v with a low s and a v
   * of 27 or 28. The same digest gives the same signature. Throws SignerError.
   */
  signDigest(digest: Hex): Promise<Hex>;
}

const DIGEST_FORM = /^0x[0-9a-f]{64}$/;

/**
 * Enforces the port's contract around any way of signing. Accepts digests only. Checks each signature against the
 * router's own rule and this signer's address before returning it, so a fault or a foreign key yields an error and
 * never a wrong permit.
 */
export function guardedSigner(address: Hex, sign: (digest: Hex) => Promise<Hex>): PermitSigner {
  return Object.freeze({
    address,
    async signDigest(digest: Hex): Promise<Hex> {
      if (!DIGEST_FORM.test(digest)) throw new SignerError('SIGNER_DIGEST_INVALID');
      const signature = await sign(digest);
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
