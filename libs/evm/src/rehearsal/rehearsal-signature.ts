import { EvmError } from '../evm.error.js';
import { recoverPermitSigner } from '../permit/permit-signature.js';
import type { Hex } from '../encoding/hex.js';

/**
 * Constant signatures (r, s, v) with a low `s`, for which nobody has a key. Each `r` and `s` is keccak-256 of a text,
 * the first ones that name a point of the curve and lie in the lower half. Whose signature each of them is follows from
 * the digest, so that every launch is rehearsed by another address.
 */
export const REHEARSAL_SIGNATURES: readonly [Hex, Hex] = [
  '0x5b4e9aa0e309732ca3385ad564ef0e18c4250380c3c6472c03183f61dc26d40a0fc45918f41c4587e432da5348082e1db4fbf1212f711bf8d7827891c22bed431b',
  '0xe52262a1e5671a945a481cb27b05299d58c558a47a309b3e892b8104eeb7bd1521f2936d17ab9ca20f23fabbd93a93d5df9b00937de57e8cbf82a09cebb958a81b',
];

export interface RehearsalAuthority {
  readonly signature: Hex;
  /** Whom the router recovers from it; lowercase. */
  readonly signer: Hex;
}

/**
 * The first constant signature from which an address recovers over this digest. One digest in 2^256 has none for a
 * constant, which is why there are two.
 * @throws {EvmError} `HEX_INVALID` for the digest, `PERMIT_SIGNATURE_INVALID` when no constant will do.
 */
export function rehearsalAuthority(digest: Hex, signatures: readonly Hex[] = REHEARSAL_SIGNATURES): RehearsalAuthority {
  for (const signature of signatures) {
    try {
      return { signature, signer: recoverPermitSigner(digest, signature) };
    } catch (error) {
      if (!(error instanceof EvmError) || error.code !== 'PERMIT_SIGNATURE_INVALID') throw error;
    }
  }
  throw new EvmError('PERMIT_SIGNATURE_INVALID', 'signature');
}
