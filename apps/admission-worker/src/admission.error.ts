import { codedErrors } from '@launch/contracts/errors';

/**
 * Reasons why a step gave no verdict. None of these is a statement about the launch. The workflow retries each except a
 * damaged reference.
 */
const RETRYABLE = {
  REQUEST_UNREADABLE: true,
  REQUEST_HASH_MISMATCH: false,
  CONTEXT_UNKNOWN: true,
  FAMILY_UNSUPPORTED: false,
  COMPILED_OUTPUT_UNREADABLE: true,
  COMPILER_UNDECIDED: true,
  PROVIDERS_UNDECIDED: true,
  RECEIPT_CONFLICT: false,
  HANDOFF_CONFLICT: false,
  PERMIT_OF_ANOTHER_ROUTER: false,
  USD_REFERENCE_UNREADABLE: false,
} as const;
export type AdmissionErrorCode = keyof typeof RETRYABLE;

/** Carries a reason of this product, never source, provider payloads or paths. */
export class AdmissionError extends codedErrors('AdmissionError', RETRYABLE) {
  constructor(
    code: AdmissionErrorCode,
    readonly reason: string,
  ) {
    super(code, `${code}: ${reason}`);
  }
}
