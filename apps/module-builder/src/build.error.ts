import { codedErrors } from '@launch/contracts/errors';

/**
 * Reasons why a builder gave no verdict. None of these is a statement about the module.
 * - `BUILD_INPUT_UNREADABLE`: plan, submission or file does not match its digest, or is not such a document.
 * - `BUILD_POLICY_MISMATCH`: the request names another policy than the builder's.
 * - `BUILD_PROCESS_LOST`: the process of a build was ended from outside, or had no processor time for too long.
 * - `BUILDER_UNPROVEN`: the pinned sample did not yield the pinned bytes, so this builder must not build.
 */
const RETRYABLE = {
  BUILD_INPUT_UNREADABLE: false,
  BUILD_POLICY_MISMATCH: false,
  BUILD_PROCESS_LOST: true,
  BUILDER_UNPROVEN: true,
} as const;

/** Carries a reason of this product, never source or paths of the host. */
export class BuildError extends codedErrors('BuildError', RETRYABLE) {
  constructor(
    code: keyof typeof RETRYABLE,
    readonly reason: string,
  ) {
    super(code, `${code}: ${reason}`);
  }
}
