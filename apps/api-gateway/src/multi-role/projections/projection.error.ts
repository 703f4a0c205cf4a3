/**
 * Why a projection was refused. None of these passes by waiting, so the workflow is told not to repeat it.
 * - `LAUNCH_UNKNOWN`: no such reservation in this database.
 * - `DOCUMENT_INVALID`: the document is not of its schema.
 * - `PROJECTION_MISMATCH`: the document is about something else than the reservation.
 * - `PROJECTION_CONFLICT`: the launch already ended otherwise.
 */
export type ProjectionErrorCode = 'LAUNCH_UNKNOWN' | 'DOCUMENT_INVALID' | 'PROJECTION_MISMATCH' | 'PROJECTION_CONFLICT';

export class ProjectionError extends Error {
  override readonly name = 'ProjectionError';
  readonly retryable = false;

  /** @param field which part was wrong; never its value. */
  constructor(
    readonly code: ProjectionErrorCode,
    readonly field: string,
    options?: ErrorOptions,
  ) {
    super(`${code} ${field}`, options);
  }
}
