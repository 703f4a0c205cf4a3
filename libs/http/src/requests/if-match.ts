import type { FastifyRequest } from 'fastify';
import { ApiError } from '../errors/api.error.js';

/** A revision, bare or as a strong entity tag. */
export const REVISION = /^(?:(0|[1-9][0-9]{0,8})|"(0|[1-9][0-9]{0,8})")$/;

/** Returns the revision that a change applies to. @throws ApiError `PRECONDITION_REQUIRED` if `If-Match` names none. */
export function revisionOf({ headers }: FastifyRequest): number {
  const [, bare, quoted] = REVISION.exec(headers['if-match'] ?? '') ?? [];
  const revision = bare ?? quoted;
  if (revision === undefined) throw new ApiError('PRECONDITION_REQUIRED');
  return Number(revision);
}
