import { codedErrors } from '@launch/contracts/errors';

/**
 * The reasons why custody gives no answer. None of these is a statement about a launch.
 * - `BYTES_UNREADABLE`: the request's, the receipt's or the refusal's bytes are absent or damaged.
 * - `RECEIPT_UNVERIFIED`: the receipt carries no valid signature of the admission key of this process's configuration.
 * - `REFUSAL_UNVERIFIED`: the refusal carries no valid signature of that key.
 * - `REFUSAL_MISMATCH`: a verified refusal belongs to another launch, or names a nonce that is not its request's.
 * - `REFUSAL_UNSIGNED`: a refusal was requested without a signed refusal and without an own decision of custody.
 * - `USD_REFERENCE_UNVERIFIED`: the reading of the price carries no valid signature of that key.
 * - `FAMILY_NOT_SERVED`: this process has no context of the request's family.
 * - `LAUNCH_CONFLICT`: this launch has a decision about another request or another family.
 * - `DIGEST_MISMATCH`: a stored permit does not hash to its committed digest; nothing is signed.
 * - `DECISION_UNSETTLED`: a decision was neither written nor found.
 */
const RETRYABLE = {
  BYTES_UNREADABLE: true,
  RECEIPT_UNVERIFIED: true,
  REFUSAL_UNVERIFIED: true,
  USD_REFERENCE_UNVERIFIED: true,
  FAMILY_NOT_SERVED: true,
  REFUSAL_MISMATCH: false,
  REFUSAL_UNSIGNED: false,
  LAUNCH_CONFLICT: false,
  DIGEST_MISMATCH: false,
  DECISION_UNSETTLED: true,
} as const;
export type CustodyErrorCode = keyof typeof RETRYABLE;

/**
 * The only error of permit custody. Its message is its code, so it never contains data of a request, a permit or a key.
 */
export class CustodyError extends codedErrors('CustodyError', RETRYABLE) {
  constructor(code: CustodyErrorCode, options?: ErrorOptions) {
    super(code, code, options);
  }
}
