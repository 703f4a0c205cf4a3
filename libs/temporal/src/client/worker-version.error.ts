import { codedErrors } from '@launch/contracts/errors';

const RETRYABLE = {
  /** No worker of the version has polled yet; the server registers a version at its first poll. */
  VERSION_UNKNOWN: true,
  /** The server knows the version, but no worker of it currently polls its task queue. */
  VERSION_NOT_POLLING: true,
  /**
   * The server refused to route work to the version, or another change replaced it; the message has the server's
   * reason.
   */
  VERSION_REFUSED: true,
  /** The version cannot replay recent histories; the message names their workflows. */
  VERSION_REPLAY_FAILED: false,
  /** The gate of the version did not end in time. */
  VERSION_GATE_TIMEOUT: true,
  /** The gate of the version ended without a result; the message has its reason. */
  VERSION_GATE_FAILED: true,
} as const;
export type WorkerVersionErrorCode = keyof typeof RETRYABLE;

/** Reports that a version of a worker could not become current. */
export class WorkerVersionError extends codedErrors('WorkerVersionError', RETRYABLE) {
  constructor(code: WorkerVersionErrorCode, message: string, options?: ErrorOptions) {
    super(code, `${code}: ${message}`, options);
  }
}
