import { codedErrors } from '@launch/contracts/errors';

/**
 * Why there is no answer. None of these says anything about a launch.
 * - `BYTES_UNREADABLE`: the request's, the receipt's or the refusal's bytes are not there or damaged.
 * - `RECEIPT_UNVERIFIED`: the receipt carries no valid signature of the admission key this process was given.
 * - `REFUSAL_UNVERIFIED`: the refusal carries no valid signature of that key.
 * - `REFUSAL_MISMATCH`: a verified refusal is of another launch, or of a nonce that is not its request's.
 * - `REFUSAL_UNSIGNED`: a launch without a decision of custody's own was to be refused on nobody's signed word.
 * - `USD_REFERENCE_UNVERIFIED`: the reading of the price carries no valid signature of that key.
 * - `FAMILY_NOT_SERVED`: this process has no context of the request's family.
 * - `LAUNCH_CONFLICT`: a decision stands for this launch about another request, or another family.
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

/** The one error of permit custody. Its message is its code: nothing of a request, a permit or a key is ever in it. */
export class CustodyError extends codedErrors('CustodyError', RETRYABLE) {
  constructor(code: CustodyErrorCode, options?: ErrorOptions) {
    super(code, code, options);
  }
}
