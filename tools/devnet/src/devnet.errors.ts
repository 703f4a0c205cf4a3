/** Faults of the development chains during start or an action. */
export type DevnetErrorCode =
  | 'ANVIL_NOT_INSTALLED'
  | 'ANVIL_START_FAILED'
  | 'ARTIFACT_MISSING'
  | 'CHAINS_UNREADABLE'
  | 'DEPLOYMENT_FAILED'
  | 'DIR_IN_USE'
  | 'JOURNAL_FAILED'
  | 'KEY_FILE_INVALID'
  | 'OPTIONS_INVALID'
  | 'RPC_FAILED'
  | 'REORG_TOO_DEEP'
  | 'TRANSACTION_UNKNOWN';

/** The library's only error. `retryable` states whether the same call may succeed later without a change. */
export class DevnetError extends Error {
  readonly code: DevnetErrorCode;
  readonly data: Readonly<Record<string, string | number | null>>;

  constructor(
    code: DevnetErrorCode,
    message: string,
    data: Readonly<Record<string, string | number | null>> = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'DevnetError';
    this.code = code;
    this.data = data;
  }

  get retryable(): boolean {
    return this.code === 'RPC_FAILED' || this.code === 'ANVIL_START_FAILED';
  }
}
