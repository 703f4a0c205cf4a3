import { codedErrors } from '@launch/contracts/errors';

/** Why a step of observation gave no answer; none of these is a statement about the launch. */
const RETRYABLE = {
  FINALITY_POLICY_UNKNOWN: false,
  /** Of a V4 launch: no worker of this deployment was ever given the context that its request names. */
  CONTEXT_UNKNOWN: true,
  STEP_UNKNOWN: false,
  REQUEST_HASH_MISMATCH: false,
  HANDOFF_OF_ANOTHER_REQUEST: false,
  EVIDENCE_TOO_LARGE: true,
  EVIDENCE_INCOMPLETE: false,
} as const;
export type FinalityErrorCode = keyof typeof RETRYABLE;

/** Carries a reason in our own words, never provider payloads or paths. */
export class FinalityError extends codedErrors('FinalityError', RETRYABLE) {
  constructor(
    code: FinalityErrorCode,
    readonly reason: string,
  ) {
    super(code, `${code}: ${reason}`);
  }
}
