/** Exit codes of a command (docs/guides/launch-cli.md). */
export const EXIT = {
  done: 0,
  usage: 2,
  refused: 3,
  notAuthorized: 4,
  unknown: 5,
  conflict: 6,
  rateLimited: 7,
  closed: 8,
  unreachable: 9,
  answer: 10,
  file: 11,
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

const EXIT_OF_CODE = {
  LAUNCH_CLI_ARGUMENTS_INVALID: EXIT.usage,
  LAUNCH_CLI_ENVIRONMENT_INVALID: EXIT.usage,
  LAUNCH_CLI_CONFIG_INVALID: EXIT.refused,
  LAUNCH_CLI_BYTES_DIFFER: EXIT.refused,
  LAUNCH_CLI_HANDOFF_ABSENT: EXIT.refused,
  LAUNCH_CLI_GATES_CLOSED: EXIT.closed,
  LAUNCH_CLI_SERVICE_UNAVAILABLE: EXIT.closed,
  LAUNCH_CLI_SERVICE_UNREACHABLE: EXIT.unreachable,
  LAUNCH_CLI_ANSWER_INVALID: EXIT.answer,
  LAUNCH_CLI_ANSWER_MISMATCH: EXIT.answer,
  LAUNCH_CLI_FILE_FAILED: EXIT.file,
  LAUNCH_CLI_INTERRUPTED: EXIT.interrupted,
} as const;
export type LaunchErrorCode = keyof typeof EXIT_OF_CODE | 'LAUNCH_CLI_REFUSED';

/** The parts of a service's refusal that the client shows. */
export interface Refusal {
  readonly code: string;
  readonly requestId: string;
  readonly retryable: boolean;
}

/** A fault and its place, as the service or the packer reports it. */
export interface ReportedFinding {
  readonly code?: string;
  readonly path: string;
  readonly message: string;
  readonly expected?: string | null;
  readonly actual?: string | null;
}

interface Detail {
  readonly httpStatus?: number;
  readonly refusal?: Refusal;
  readonly findings?: readonly ReportedFinding[];
  /** Seconds to wait before the same call is made again, if the answer says so. */
  readonly retryAfterSeconds?: number | undefined;
}

/** The only failure of a command. The message names options, variables and files; it never has a key. */
export class LaunchError extends Error {
  override readonly name = 'LaunchError';

  constructor(
    readonly code: LaunchErrorCode,
    message: string,
    readonly detail: Detail = {},
  ) {
    super(message);
  }

  get exitCode(): ExitCode {
    if (this.code !== 'LAUNCH_CLI_REFUSED') return EXIT_OF_CODE[this.code];
    return EXIT_OF_REFUSAL[this.detail.refusal?.code ?? ''] ?? exitOfStatus(this.detail.httpStatus);
  }
}

/** Refusals that the plan transport reports under another status, because it uses few. */
const EXIT_OF_REFUSAL: Readonly<Record<string, ExitCode>> = {
  PLAN_NOT_FOUND: EXIT.unknown,
  RATE_LIMITED: EXIT.rateLimited,
};

/** Returns the exit code of a refusal by its HTTP status. A fault of the service itself is an unusable answer. */
function exitOfStatus(status = 500): ExitCode {
  switch (status) {
    case 401:
    case 403:
      return EXIT.notAuthorized;
    case 404:
      return EXIT.unknown;
    case 409:
      return EXIT.conflict;
    case 429:
      return EXIT.rateLimited;
    case 503:
      return EXIT.closed;
    default:
      return status >= 500 ? EXIT.answer : EXIT.refused;
  }
}
