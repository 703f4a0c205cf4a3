import { codedErrors } from '@launch/contracts/errors';

/**
 * The codes of a signer's failures.
 * - `SIGNER_KEY_FILE_UNREADABLE`: absent, not a regular file, or not readable by this process.
 * - `SIGNER_KEY_FILE_EXPOSED`: its group or others may read or write it.
 * - `SIGNER_KEY_INVALID`: not one secp256k1 key of the expected form.
 * - `SIGNER_PIN_INVALID`: empty, longer than 255 characters, or with control characters.
 * - `SIGNER_INPUT_INVALID`: the input is not an EIP-712 encoding of 66 bytes.
 * - `SIGNER_SIGNATURE_WRONG`: the signature did not recover to this signer's address and was discarded.
 * - `SIGNER_UNAVAILABLE`: a remote signer or a token did not respond in time, throttled, or failed.
 * - `SIGNER_REFUSED`: it does not let this process use the key, for example because the key is disabled or unknown, or its PIN wrong.
 * Operators repair that outside this process, so the same call may succeed later.
 */
const RETRYABLE = {
  SIGNER_KEY_FILE_UNREADABLE: false,
  SIGNER_KEY_FILE_EXPOSED: false,
  SIGNER_KEY_INVALID: false,
  SIGNER_PIN_INVALID: false,
  SIGNER_INPUT_INVALID: false,
  SIGNER_SIGNATURE_WRONG: true,
  SIGNER_UNAVAILABLE: true,
  SIGNER_REFUSED: true,
} as const;
export type SignerErrorCode = keyof typeof RETRYABLE;

const REASON_FORM = /^[A-Za-z0-9_ ]{1,64}$/;

/** The only error of this library. Contains neither key material nor paths, hosts or texts of a remote signer. */
export class SignerError extends codedErrors('SignerError', RETRYABLE) {
  /** @param reason the name of the remote signer's own error, such as `DisabledException`. */
  constructor(code: SignerErrorCode, reason?: string) {
    super(code, reason !== undefined && REASON_FORM.test(reason) ? `${code}: ${reason}` : code);
  }
}
