export type TemporalErrorCode =
  /** A value bound for a history is larger than what histories may hold; send its hash. */
  | 'PAYLOAD_TOO_LARGE'
  /** The workflow bundle was never built. */
  | 'BUNDLE_MISSING'
  /** The workflow bundle is not the one its manifest names. */
  | 'BUNDLE_CORRUPT'
  /** Bundling failed. */
  | 'BUNDLE_FAILED'
  /** The worker's version never became known to the server. */
  | 'VERSION_NOT_REGISTERED';

const RETRYABLE: Record<TemporalErrorCode, boolean> = {
  PAYLOAD_TOO_LARGE: false,
  BUNDLE_MISSING: false,
  BUNDLE_CORRUPT: false,
  BUNDLE_FAILED: false,
  VERSION_NOT_REGISTERED: true,
};

export class TemporalError extends Error {
  override readonly name = 'TemporalError';
  readonly retryable: boolean;
  constructor(
    readonly code: TemporalErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(`${code}: ${message}`, options);
    this.retryable = RETRYABLE[code];
  }
}
