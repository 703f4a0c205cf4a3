import { codedErrors } from '@launch/contracts/errors';

/**
 * The codes of a signer's failures.
 * - `SIGNER_KEY_FILE_UNREADABLE`: absent, not a regular file, or not readable by this process.
 * - `SIGNER_KEY_FILE_EXPOSED`: its group or others may read or write it.
 * - `SIGNER_KEY_INVALID`: not one secp256k1 private key in hex.
 * - `SIGNER_DIGEST_INVALID`: the input is not 32 bytes of hex.
 * - `SIGNER_SIGNATURE_WRONG`: the signature did not recover to this signer's address and was discarded.
 */
const RETRYABLE = {
  SIGNER_KEY_FILE_UNREADABLE: false,
  SIGNER_KEY_FILE_EXPOSED: false,
  SIGNER_KEY_INVALID: false,
  SIGNER_DIGEST_INVALID: false,
  SIGNER_SIGNATURE_WRONG: true,
} as const;
export type SignerErrorCode = keyof typeof RETRYABLE;

/** The only error of this library. Contains neither key material nor paths. */
export class SignerError extends codedErrors('SignerError', RETRYABLE) {
  constructor(code: SignerErrorCode) {
    super(code);
  }
}
