/**
 * Exit codes of runs without a verdict: 2 usage, 8 the compiler is unavailable, 11 the file cannot be read or the output not
 * written.
 */
export const VERIFY_EXIT_CODES = {
  VERIFY_ARGUMENTS_INVALID: 2,
  VERIFY_COMPILER_UNAVAILABLE: 8,
  VERIFY_IO_ERROR: 11,
} as const;
export type VerifyErrorCode = keyof typeof VERIFY_EXIT_CODES;

/** The only error of this tool; a fault of a checked file is a verdict, never an error. */
export class VerifyError extends Error {
  override readonly name = 'VerifyError';

  constructor(
    readonly code: VerifyErrorCode,
    message: string,
  ) {
    super(message);
  }

  get exitCode(): number {
    return VERIFY_EXIT_CODES[this.code];
  }
}
