/**
 * Why a step gave no verdict. None of these is a statement about the launch; every one
 * but a damaged reference is tried again by the workflow.
 */
export type AdmissionErrorCode =
  | 'REQUEST_UNREADABLE'
  | 'REQUEST_HASH_MISMATCH'
  | 'COMPILED_OUTPUT_UNREADABLE'
  | 'COMPILER_UNDECIDED'
  | 'PROVIDERS_UNDECIDED'
  | 'RECEIPT_CONFLICT'
  | 'HANDOFF_CONFLICT';

const RETRYABLE: Readonly<Record<AdmissionErrorCode, boolean>> = {
  REQUEST_UNREADABLE: true,
  REQUEST_HASH_MISMATCH: false,
  COMPILED_OUTPUT_UNREADABLE: true,
  COMPILER_UNDECIDED: true,
  PROVIDERS_UNDECIDED: true,
  RECEIPT_CONFLICT: false,
  HANDOFF_CONFLICT: false,
};

/** Carries a reason in our own words, never source, provider payloads or paths. */
export class AdmissionError extends Error {
  override readonly name = 'AdmissionError';
  readonly retryable: boolean;

  constructor(
    readonly code: AdmissionErrorCode,
    readonly reason: string,
  ) {
    super(`${code}: ${reason}`);
    this.retryable = RETRYABLE[code];
  }
}
