import { codedErrors } from '@launch/contracts/errors';

/**
 * The reasons to refuse a projection. No retry can succeed, so the workflow must not repeat it.
 * - `LAUNCH_UNKNOWN`: no such reservation in this database.
 * - `DOCUMENT_INVALID`: the document is not of its schema.
 * - `PROJECTION_MISMATCH`: the document is about something else than the reservation.
 * - `PROJECTION_CONFLICT`: the launch already ended otherwise.
 * - `STATEMENT_UNVERIFIED`: no signature of the service that decides it.
 * - `STATEMENT_OUTDATED`: a newer observation is stored.
 * - `WINDOW_OPEN`: the permit's window has not passed.
 */
const RETRYABLE = {
  LAUNCH_UNKNOWN: false,
  DOCUMENT_INVALID: false,
  PROJECTION_MISMATCH: false,
  PROJECTION_CONFLICT: false,
  STATEMENT_UNVERIFIED: false,
  STATEMENT_OUTDATED: false,
  WINDOW_OPEN: false,
} as const;
export type ProjectionErrorCode = keyof typeof RETRYABLE;

export class ProjectionError extends codedErrors('ProjectionError', RETRYABLE) {
  /** @param field which part was wrong; never its value. */
  constructor(
    code: ProjectionErrorCode,
    readonly field: string,
    options?: ErrorOptions,
  ) {
    super(code, `${code} ${field}`, options);
  }
}
