import { codedErrors } from '@launch/contracts/errors';

/** Reasons why a step of observation failed; none of these is a statement about the launch. */
const RETRYABLE = {
  FINALITY_POLICY_UNKNOWN: false,
  /** A custom launch names a context that no worker of this deployment ever received. */
  CONTEXT_UNKNOWN: true,
  STEP_UNKNOWN: false,
  REQUEST_HASH_MISMATCH: false,
  /** A workflow continues from a poll that this service did not sign. */
  STATEMENT_UNVERIFIED: false,
  HANDOFF_OF_ANOTHER_REQUEST: false,
  EVIDENCE_TOO_LARGE: true,
  EVIDENCE_INCOMPLETE: false,
} as const;
export type FinalityErrorCode = keyof typeof RETRYABLE;

/** Carries a reason of this product, never provider payloads or paths. */
export class FinalityError extends codedErrors('FinalityError', RETRYABLE) {
  constructor(
    code: FinalityErrorCode,
    readonly reason: string,
  ) {
    super(code, `${code}: ${reason}`);
  }
}
