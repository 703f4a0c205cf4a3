import { codedErrors } from '@launch/contracts/errors';

/**
 * Reasons why there is no verdict. A fault of a source is a finding and never one of these.
 * - `COMPILER_BUSY`: the queue is full.
 * - `COMPILER_CRASHED`: the compiler's process was killed from outside.
 * - `COMPILER_DEFECT`: for this input the compiler's process, and a fresh one after it, ended by itself or gave an
 * invalid answer. A retry cannot help; it needs a change of this code.
 * - `COMPILER_STALLED`: the compiler used no processor time for a minute: it hangs, or the machine gives it none.
 * - `COMPILER_UNAVAILABLE`: the pinned compiler is missing, altered, or did not start.
 * - `COMPILER_ABORTED`: the caller's signal was aborted.
 * - `COMPILER_CLOSED`: the compiler was shut down.
 */
const RETRYABLE = {
  COMPILER_BUSY: true,
  COMPILER_CRASHED: true,
  COMPILER_DEFECT: false,
  COMPILER_STALLED: true,
  COMPILER_UNAVAILABLE: true,
  COMPILER_ABORTED: false,
  COMPILER_CLOSED: true,
} as const;
export type CompilerErrorCode = keyof typeof RETRYABLE;

export type CompilerErrorData = {
  readonly version?: string;
  readonly exitCode?: number | null;
  readonly signal?: string | null;
  readonly errno?: string;
};

/** The only error of this library. It contains no source text and no compiler message. */
export class CompilerError extends codedErrors('CompilerError', RETRYABLE) {
  constructor(
    code: CompilerErrorCode,
    readonly data: CompilerErrorData = {},
  ) {
    super(code, data.version === undefined ? code : `${code} (solc ${data.version})`);
  }
}
