/** The exit code of each way in which a command ends without its result. */
export const DEPLOY_EXIT_CODES = {
  /** An option is missing, unknown, given twice or without a value. */
  ARGUMENTS_INVALID: 2,
  /** The observers of a chain are not configured, or not as two observers. */
  CONFIGURATION_INVALID: 2,
  /** A file of facts, a manifest, a policy or a key does not have its form. */
  DOCUMENT_INVALID: 3,
  /** The checkout is no commit, and a context names one. */
  CHECKOUT_INVALID: 3,
  /** A chain has no code at an address. */
  CODE_MISSING: 3,
  /** A chain has other code at an address than the manifest names. */
  CODE_DIFFERS: 3,
  /** A router does not take permits of an authority that the context names. */
  AUTHORITY_DIFFERS: 3,
  /** An observer serves another chain than the manifest describes. */
  CHAIN_DIFFERS: 3,
  /** The target file exists. */
  TARGET_EXISTS: 3,
  /** The context at the target is the one to write. */
  ALREADY_PUBLISHED: 3,
  /** An image has no digest, or its registry does not serve the pinned one. */
  IMAGE_NOT_SERVED: 3,
  /** The observers of a chain differ or do not answer. */
  OBSERVERS_UNAVAILABLE: 8,
  /** A registry does not answer for a tag. */
  REGISTRY_UNAVAILABLE: 8,
  /** The command needs `docker buildx` on the path. */
  DOCKER_MISSING: 8,
  FILE_NOT_READ: 11,
  FILE_NOT_WRITTEN: 11,
  OUTPUT_NOT_WRITTEN: 11,
} as const;
export type DeployErrorCode = keyof typeof DEPLOY_EXIT_CODES;

/** The only error of this program. */
export class DeployError extends Error {
  override readonly name = 'DeployError';

  /**
   * @param remedy the next thing to do, as a sentence.
   * @param output the part of the result that is known, for standard output.
   */
  constructor(
    readonly code: DeployErrorCode,
    message: string,
    readonly remedy: string,
    readonly output = '',
  ) {
    super(message);
  }

  get exitCode(): number {
    return DEPLOY_EXIT_CODES[this.code];
  }
}
