import { EvmError } from '../evm.error.js';
import { recoverPermitSigner } from '../permit/permit-signature.js';
import type { Hex } from '../encoding/hex.js';

/**
 * Constant signatures (r, s, v) with a low `s` and no known key. Each `r` and `s` is the keccak-256 of a text: the
 * first ones that name a point of the curve and lie in the lower half. The digest decides the address that a signature
 * recovers to, so each launch is rehearsed by a different address.
 */
export const REHEARSAL_SIGNATURES: readonly [Hex, Hex] = [
  '0x5b4e9aa0e309732ca3385ad564ef0e18c4250380c3c6472c03183f61dc26d40a0fc45918f41c4587e432da5348082e1db4fbf1212f711bf8d7827891c22bed431b',
  '0xe52262a1e5671a945a481cb27b05299d58c558a47a309b3e892b8104eeb7bd1521f2936d17ab9ca20f23fabbd93a93d5df9b00937de57e8cbf82a09cebb958a81b',
];

export interface RehearsalAuthority {
  readonly signature: Hex;
  /** The address that the router recovers from the signature; lowercase. */
  readonly signer: Hex;
}

/**
 * Returns the first constant signature from which an address recovers over this digest. About one digest in 2^256 has
 * none for a given constant, so there are two constants.
 * @throws {EvmError} `HEX_INVALID` for the digest, `PERMIT_SIGNATURE_INVALID` if no constant works.
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
