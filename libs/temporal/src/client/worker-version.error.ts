import { codedErrors } from '@launch/contracts/errors';

const RETRYABLE = {
  /** No worker of the version has polled yet; the server learns of a version by its first poll. */
  VERSION_UNKNOWN: true,
  /** The server knows the version, but no worker of it polls its task queue at present. */
  VERSION_NOT_POLLING: true,
  /** The server refused to route work to the version, or changed its mind meanwhile; the message has its reason. */
  VERSION_REFUSED: true,
} as const;
export type WorkerVersionErrorCode = keyof typeof RETRYABLE;

/** A version of a worker could not become current. */
export class WorkerVersionError extends codedErrors('WorkerVersionError', RETRYABLE) {
  constructor(code: WorkerVersionErrorCode, message: string, options?: ErrorOptions) {
    super(code, `${code}: ${message}`, options);
  }
}
