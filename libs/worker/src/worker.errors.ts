import { codedErrors } from '@launch/contracts/errors';

const RETRYABLE = {
  /** The workflow bundle was never built. */
  BUNDLE_MISSING: false,
  /** The workflow bundle is not the one its manifest names. */
  BUNDLE_CORRUPT: false,
  /** Bundling failed. */
  BUNDLE_FAILED: false,
  /** The namespace lacks an attribute that the workflows set; the message has the command that registers it. */
  SEARCH_ATTRIBUTES_MISSING: false,
  /** One of the two variables of a version is absent. */
  VERSION_INCOMPLETE: false,
} as const;
export type WorkerErrorCode = keyof typeof RETRYABLE;

export class WorkerError extends codedErrors('WorkerError', RETRYABLE) {
  constructor(code: WorkerErrorCode, message: string, options?: ErrorOptions) {
    super(code, `${code}: ${message}`, options);
  }
}
