import { codedErrors } from '@launch/contracts/errors';

/**
 * - `SIGNER_KEY_FILE_UNREADABLE`: absent, no regular file, or not readable by this process.
 * - `SIGNER_KEY_FILE_EXPOSED`: its group or everyone may read or write it.
 * - `SIGNER_KEY_INVALID`: not one secp256k1 private key in hex.
 * - `SIGNER_DIGEST_INVALID`: asked to sign something that is not 32 bytes of hex.
 * - `SIGNER_SIGNATURE_WRONG`: what came out does not recover to this signer's address; it was discarded.
 */
const RETRYABLE = {
  SIGNER_KEY_FILE_UNREADABLE: false,
  SIGNER_KEY_FILE_EXPOSED: false,
  SIGNER_KEY_INVALID: false,
  SIGNER_DIGEST_INVALID: false,
  SIGNER_SIGNATURE_WRONG: true,
} as const;
export type SignerErrorCode = keyof typeof RETRYABLE;

/** The one error of this library. Carries neither key material nor paths. */
export class SignerError extends codedErrors('SignerError', RETRYABLE) {
  constructor(code: SignerErrorCode) {
    super(code);
  }
}
