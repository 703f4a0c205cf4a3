/** A fault and its place, as the service, the packer or a check of a response reports it. */
export interface LaunchFinding {
  readonly code?: string;
  /** JSON Pointer. */
  readonly path: string;
  readonly message: string;
}

/**
 * Codes of this library: the transport's, and those of a response or a wait. Every other code is the service's or the packer's.
 *
 * - `RESPONSE_NOT_OF_REQUEST`: a response is about another launch, wallet, digest, version or chain.
 * - `LAUNCHES_CLOSED`: the service has no context, or a gate is closed to new requests.
 * - `LAUNCH_ENDED`: the launch or plan ended before the goal of a wait.
 * - `WAIT_TIMED_OUT`: the goal was not reached in time.
 */
export type LaunchClientCode =
  | 'ORIGIN_UNUSABLE'
  | 'INPUT_UNUSABLE'
  | 'SERVICE_UNREACHABLE'
  | 'ANSWER_TOO_SLOW'
  | 'ANSWER_BROKEN_OFF'
  | 'ANSWER_REDIRECTED'
  | 'ANSWER_TOO_LARGE'
  | 'ANSWER_STATUS_UNKNOWN'
  | 'ANSWER_NOT_JSON'
  | 'ANSWER_SCHEMA_MISMATCH'
  | 'RESPONSE_NOT_OF_REQUEST'
  | 'LAUNCHES_CLOSED'
  | 'LAUNCH_ENDED'
  | 'WAIT_TIMED_OUT';

/** The parts of a failure besides its code. */
export interface LaunchFailure {
  readonly status?: number | null;
  readonly retryable?: boolean;
  readonly retryAfterSeconds?: number | null;
  readonly requestId?: string | null;
  readonly findings?: readonly LaunchFinding[];
  readonly submissionMayExist?: boolean;
}

/** The only error that this library throws on purpose. Its message never contains a key. */
export class LaunchClientError extends Error {
  override readonly name = 'LaunchClientError';
  /** HTTP status of the response; null without one. */
  readonly status: number | null;
  /** Whether the same call can succeed later. */
  readonly retryable: boolean;
  readonly retryAfterSeconds: number | null;
  /** The id to give to the service's support; null without one. */
  readonly requestId: string | null;
  readonly findings: readonly LaunchFinding[];
  /** Whether the service may have accepted the request. Send the same bytes with the same key to find out. */
  readonly submissionMayExist: boolean;

  constructor(
    readonly code: LaunchClientCode | (string & {}),
    message: string,
    failure: LaunchFailure = {},
  ) {
    super(message);
    this.status = failure.status ?? null;
    this.retryable = failure.retryable ?? false;
    this.retryAfterSeconds = failure.retryAfterSeconds ?? null;
    this.requestId = failure.requestId ?? null;
    this.findings = failure.findings ?? [];
    this.submissionMayExist = failure.submissionMayExist ?? false;
  }
}
