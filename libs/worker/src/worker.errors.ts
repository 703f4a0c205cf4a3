export type WorkerErrorCode =
  /** The workflow bundle was never built. */
  | 'BUNDLE_MISSING'
  /** The workflow bundle is not the one its manifest names. */
  | 'BUNDLE_CORRUPT'
  /** Bundling failed. */
  | 'BUNDLE_FAILED'
  /** The namespace lacks an attribute that the workflows set; the message has the command that registers it. */
  | 'SEARCH_ATTRIBUTES_MISSING'
  /** The worker's version never became known to the server. */
  | 'VERSION_NOT_REGISTERED';

const RETRYABLE: Record<WorkerErrorCode, boolean> = {
  BUNDLE_MISSING: false,
  BUNDLE_CORRUPT: false,
  BUNDLE_FAILED: false,
  SEARCH_ATTRIBUTES_MISSING: false,
  VERSION_NOT_REGISTERED: true,
};

export class WorkerError extends Error {
  override readonly name = 'WorkerError';
  readonly retryable: boolean;
  constructor(
    readonly code: WorkerErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(`${code}: ${message}`, options);
    this.retryable = RETRYABLE[code];
  }
}
