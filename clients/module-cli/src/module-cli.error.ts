/** A fault of a package or request: the service's code for it and its place. */
export interface ReportedFinding {
  readonly code: string;
  readonly path: string;
}

/** The parts of an answer that an error reports. */
export interface ErrorDetail {
  /** The place: an option, or a JSON pointer into the descriptor, the request or the answer. Never a path on disk. */
  readonly path?: string;
  /** Every fault that was found; `path` is that of the first. */
  readonly findings?: readonly ReportedFinding[];
  readonly httpStatus?: number;
  readonly retryAfterSeconds?: number | null;
  /** Whether the service calls the refusal retryable. */
  readonly retryable?: boolean;
  readonly requestId?: string | null;
}

/** Codes of this client with their exit codes. Refusals of the service keep the service's codes. */
export const EXIT_CODES = {
  MODULE_CLI_ARGUMENTS_INVALID: 2,
  MODULE_CLI_ENVIRONMENT_INVALID: 2,
  MODULE_KEY_EXPOSED: 3,
  MODULE_JSON_INVALID: 3,
  MODULE_CLI_DIFFERS: 3,
  MODULE_SUBMISSIONS_UNAVAILABLE: 8,
  MODULE_READS_UNAVAILABLE: 8,
  MODULE_REVIEW_UNAVAILABLE: 8,
  MODULE_API_NETWORK: 9,
  MODULE_API_TIMEOUT: 9,
  MODULE_API_RESPONSE: 10,
  MODULE_REVIEW_RESPONSE: 10,
  MODULE_API_RECEIPT_MISMATCH: 10,
  MODULE_CLI_FILE: 11,
  MODULE_FILE_CHANGED: 11,
  MODULE_CLI_INTERNAL: 1,
} as const;

/** The line that reports a failure on stderr: codes and safe field paths only, no key, source, file name or foreign text. */
export interface ModuleCliErrorBody {
  readonly schemaVersion: 'service.modules.cli-error.v1';
  readonly code: string;
  readonly path: string | null;
  /** Every fault of a package or request, in the order of the service; empty for another failure. */
  readonly findings: readonly ReportedFinding[];
  readonly httpStatus: number | null;
  /** Whether the service may have the submission. If so, repeat the saved request with the same key, never a new one. */
  readonly submissionMayExist: boolean;
  readonly retryAfterSeconds: number | null;
  readonly requestId: string | null;
}

/** Every failure of the module CLI. */
export class ModuleCliError extends Error {
  override readonly name = 'ModuleCliError';

  private constructor(
    readonly code: string,
    readonly exitCode: number,
    readonly detail: ErrorDetail,
    /** False if a POST that ended with this error may have left a submission. */
    readonly isDefinite: boolean,
  ) {
    super(code);
  }

  /** Creates a failure that this client found. */
  static own(code: keyof typeof EXIT_CODES, detail: ErrorDetail = {}): ModuleCliError {
    return new ModuleCliError(code, EXIT_CODES[code], detail, false);
  }

  /** Creates the failure of one fault of a package, under the service's code for it. */
  static finding(code: string, path: string): ModuleCliError {
    return ModuleCliError.findings([{ code, path }]);
  }

  /** Creates the failure of all faults of a package or request; its code is that of the first, as in a response. */
  static findings(found: readonly ReportedFinding[]): ModuleCliError {
    const findings = found.map(({ code, path }) => ({ code, path: path.slice(0, 256) }));
    const [first] = findings;
    if (first === undefined) throw new RangeError('a failure of findings needs one');
    return new ModuleCliError(first.code, 3, { path: first.path, findings }, true);
  }

  /** Creates the service's own refusal. A client's fault is definite, and so is a service that takes no submissions. */
  static refused(code: string, httpStatus: number, detail: ErrorDetail): ModuleCliError {
    const isDefinite = (httpStatus < 500 && httpStatus !== 408) || code === 'MODULE_SUBMISSIONS_UNAVAILABLE';
    return new ModuleCliError(code, exitCodeOf(httpStatus), { ...detail, httpStatus }, isDefinite);
  }

  /** @param wasSent whether a submission was sent before this failure. */
  toBody(wasSent: boolean): ModuleCliErrorBody {
    const { path = null, findings = [], httpStatus = null, retryAfterSeconds = null, requestId = null } = this.detail;
    return {
      schemaVersion: 'service.modules.cli-error.v1',
      code: this.code,
      path,
      findings,
      httpStatus,
      submissionMayExist: wasSent && !this.isDefinite,
      retryAfterSeconds,
      requestId,
    };
  }
}

function exitCodeOf(status: number): number {
  if (status === 401 || status === 403) return 4;
  if (status === 404) return 5;
  if (status === 409) return 6;
  if (status === 429) return 7;
  return status === 408 || status >= 500 ? 8 : 3;
}
