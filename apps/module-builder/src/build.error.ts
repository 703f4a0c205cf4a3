import { codedErrors } from '@launch/contracts/errors';

/**
 * Why a builder gave no verdict. None of these is a statement about the module.
 * - `BUILD_INPUT_UNREADABLE`: plan, submission or file is not what its digest promised, or is no such document.
 * - `BUILD_POLICY_MISMATCH`: the builder was asked under another policy than its own.
 * - `BUILD_PROCESS_LOST`: the process of a build was ended from outside, or got no processor time for far too long.
 * - `BUILDER_UNPROVEN`: the pinned sample did not give the pinned bytes: this builder may not build.
 */
const RETRYABLE = {
  BUILD_INPUT_UNREADABLE: false,
  BUILD_POLICY_MISMATCH: false,
  BUILD_PROCESS_LOST: true,
  BUILDER_UNPROVEN: true,
} as const;

/** Carries a reason in our own words, never source or paths of the host. */
export class BuildError extends codedErrors('BuildError', RETRYABLE) {
  constructor(
    code: keyof typeof RETRYABLE,
    readonly reason: string,
  ) {
    super(code, `${code}: ${reason}`);
  }
}
