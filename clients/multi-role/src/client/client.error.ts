import type { Finding } from '@launch/contracts/errors';
import type { ErrorBody } from '@launch/contracts/validation';

export const CLIENT_ERROR_CODES = [
  'MULTI_ROLE_CLIENT_ARGUMENTS_INVALID',
  'MULTI_ROLE_CLIENT_ENVIRONMENT_INVALID',
  'MULTI_ROLE_CLIENT_ORIGINAL_INVALID',
  'MULTI_ROLE_CLIENT_HANDOFF_INVALID',
  'MULTI_ROLE_CLIENT_DOWNLOAD_DIFFERS',
  'MULTI_ROLE_CLIENT_IO_ERROR',
  'MULTI_ROLE_CLIENT_NETWORK_ERROR',
  'MULTI_ROLE_CLIENT_DEADLINE_EXCEEDED',
  'MULTI_ROLE_CLIENT_UNAVAILABLE',
  'MULTI_ROLE_CLIENT_RESPONSE_INVALID',
  'MULTI_ROLE_CLIENT_REFUSED',
  'MULTI_ROLE_CLIENT_LAUNCH_ENDED',
  'MULTI_ROLE_CLIENT_STILL_RUNNING',
] as const;
export type ClientErrorCode = (typeof CLIENT_ERROR_CODES)[number];

const MESSAGES: Readonly<Record<ClientErrorCode, string>> = {
  MULTI_ROLE_CLIENT_ARGUMENTS_INVALID: 'The arguments are not those of a command.',
  MULTI_ROLE_CLIENT_ENVIRONMENT_INVALID: 'SERVICE_API_BASE_URL or SERVICE_API_KEY is missing or malformed.',
  MULTI_ROLE_CLIENT_ORIGINAL_INVALID: 'The original launch is not a response this client can recover by.',
  MULTI_ROLE_CLIENT_HANDOFF_INVALID: 'The hand-off is not one of this request that can be sent now; sign nothing.',
  MULTI_ROLE_CLIENT_DOWNLOAD_DIFFERS: 'A file is not the one that the service publishes; run none of them.',
  MULTI_ROLE_CLIENT_IO_ERROR: 'A file or the output could not be read or written.',
  MULTI_ROLE_CLIENT_NETWORK_ERROR: 'The exchange with the service failed.',
  MULTI_ROLE_CLIENT_DEADLINE_EXCEEDED: 'The service did not answer within the deadline.',
  MULTI_ROLE_CLIENT_UNAVAILABLE: 'A proxy answered in place of the service, which is away.',
  MULTI_ROLE_CLIENT_RESPONSE_INVALID: 'The response is not what the contract says; nothing of it is used.',
  MULTI_ROLE_CLIENT_REFUSED: 'The service refused the request.',
  MULTI_ROLE_CLIENT_LAUNCH_ENDED: 'The launch ended before the stage that was waited for.',
  MULTI_ROLE_CLIENT_STILL_RUNNING: 'The launch has not come to the stage within the time given; wait again.',
};

const EXIT_CODES: Readonly<Record<Exclude<ClientErrorCode, 'MULTI_ROLE_CLIENT_REFUSED'>, number>> = {
  MULTI_ROLE_CLIENT_ARGUMENTS_INVALID: 2,
  MULTI_ROLE_CLIENT_ENVIRONMENT_INVALID: 2,
  MULTI_ROLE_CLIENT_ORIGINAL_INVALID: 3,
  MULTI_ROLE_CLIENT_HANDOFF_INVALID: 3,
  MULTI_ROLE_CLIENT_DOWNLOAD_DIFFERS: 3,
  MULTI_ROLE_CLIENT_IO_ERROR: 11,
  MULTI_ROLE_CLIENT_NETWORK_ERROR: 9,
  MULTI_ROLE_CLIENT_DEADLINE_EXCEEDED: 9,
  MULTI_ROLE_CLIENT_UNAVAILABLE: 8,
  MULTI_ROLE_CLIENT_RESPONSE_INVALID: 10,
  MULTI_ROLE_CLIENT_LAUNCH_ENDED: 3,
  MULTI_ROLE_CLIENT_STILL_RUNNING: 8,
};

/**
 * Returns the exit code of a refusal by its HTTP status: 3 findings, 4 auth, 5 not found, 6 conflict, 7 rate limited, 8
 * unavailable.
 */
export function exitCodeOfStatus(status: number): number {
  if (status === 401 || status === 403) return 4;
  if (status === 404) return 5;
  if (status === 409) return 6;
  if (status === 429) return 7;
  return status === 408 || status >= 500 ? 8 : 3;
}

export interface ClientErrorDetail {
  /** Place and fault without values: an option, header or JSON pointer, or the service's finding on a launch. */
  readonly findings?: ClientErrorBody['findings'];
  readonly httpStatus?: number;
  readonly refusal?: ErrorBody['error'];
  /** Seconds to wait before the same call is made again, if an answer that is no refusal says so. */
  readonly retryAfterSeconds?: number | undefined;
}

/** The document that the client writes to stderr. It never contains the API key, request bytes or file paths. */
export interface ClientErrorBody {
  readonly schemaVersion: 'service.multi-role-client-error.v2';
  readonly code: ClientErrorCode;
  readonly message: string;
  /** True if a launch may have been reserved: repeat the same bytes and key, or list, before anything else. */
  readonly submissionMayExist: boolean;
  /** The command that sends the same file again under the same key, if a launch may have been reserved. */
  readonly repeat: string | null;
  readonly httpStatus: number | null;
  readonly refusal: {
    readonly code: string;
    readonly message: string;
    readonly requestId: string;
    readonly retryable: boolean;
    readonly retryAfterSeconds: number | null;
    readonly statusUrl: string | null;
  } | null;
  readonly findings: readonly ({ readonly path: string; readonly message: string } | Finding)[];
}

/** The only failure of the transport client. `wait` polls; another call is repeated with `--retry` alone, after a retryable refusal. */
export class ClientError extends Error {
  override readonly name = 'ClientError';

  constructor(
    readonly code: ClientErrorCode,
    readonly detail: ClientErrorDetail = {},
  ) {
    super(MESSAGES[code]);
  }

  get exitCode(): number {
    return this.code === 'MULTI_ROLE_CLIENT_REFUSED'
      ? exitCodeOfStatus(this.detail.httpStatus ?? 500)
      : EXIT_CODES[this.code];
  }

  /**
   * Returns the body for stderr. `repeat` is the command of a create that was sent. A create whose outcome is unknown may have reserved a launch: no usable answer arrived, the
   * service failed, or only a file could not be written.
   */
  toBody(repeat: string | null): ClientErrorBody {
    const { findings, httpStatus, refusal } = this.detail;
    const definite =
      this.code === 'MULTI_ROLE_CLIENT_REFUSED' &&
      httpStatus !== undefined &&
      httpStatus < 500 &&
      refusal?.statusUrl == null;
    return {
      schemaVersion: 'service.multi-role-client-error.v2',
      code: this.code,
      message: this.message,
      submissionMayExist: repeat !== null && !definite,
      repeat: definite ? null : repeat,
      httpStatus: httpStatus ?? null,
      refusal: refusal
        ? {
            code: refusal.code,
            message: refusal.message,
            requestId: refusal.requestId,
            retryable: refusal.retryable,
            retryAfterSeconds: refusal.retryAfterSeconds,
            statusUrl: refusal.statusUrl,
          }
        : null,
      findings: refusal?.findings ?? findings ?? [],
    };
  }
}
