/** Why a step of observation gave no answer; none of these is a statement about the launch. */
export type FinalityErrorCode =
  | 'FINALITY_POLICY_UNKNOWN'
  | 'REQUEST_HASH_MISMATCH'
  | 'HANDOFF_OF_ANOTHER_REQUEST'
  | 'EVIDENCE_TOO_LARGE'
  | 'EVIDENCE_INCOMPLETE';

const RETRYABLE: Readonly<Record<FinalityErrorCode, boolean>> = {
  FINALITY_POLICY_UNKNOWN: false,
  REQUEST_HASH_MISMATCH: false,
  HANDOFF_OF_ANOTHER_REQUEST: false,
  EVIDENCE_TOO_LARGE: true,
  EVIDENCE_INCOMPLETE: false,
};

/** Carries a reason in our own words, never provider payloads or paths. */
export class FinalityError extends Error {
  override readonly name = 'FinalityError';
  readonly retryable: boolean;

  constructor(
    readonly code: FinalityErrorCode,
    readonly reason: string,
  ) {
    super(`${code}: ${reason}`);
    this.retryable = RETRYABLE[code];
  }
}
