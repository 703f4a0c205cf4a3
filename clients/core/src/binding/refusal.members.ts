import type { PlanErrors } from '@launch/contracts/plans';
import type { ErrorBody } from '@launch/contracts/validation';
import { retryAfterOf } from '../transport/retry-after.js';
import { equal, holds, type BoundMember } from './bound-member.js';
import type { Wire } from './wire.types.js';

/** The status and headers of a refusal that its body repeats. */
export interface RefusalSubject {
  readonly httpStatus: number;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
}

const REQUEST_ID = /^req_[0-9A-HJKMNP-TV-Z]{26}$/;

/** Reads what a refusal's body repeats. A proxy may omit the headers, or have a request id of its own in its place. */
export function refusalSubject(httpStatus: number, headers: Headers): RefusalSubject {
  const id = headers.get('x-request-id') ?? '';
  return {
    httpStatus,
    requestId: REQUEST_ID.test(id) ? id : undefined,
    retryAfterSeconds: retryAfterOf(headers),
  };
}

const isAsked = (said: number | null, header: number | undefined): boolean =>
  said === null || header === undefined || said === header;

/** The members of an error body that its response determines. */
export const REFUSAL_MEMBERS: readonly BoundMember<Wire<ErrorBody>, RefusalSubject>[] = [
  equal(
    '/error/requestId',
    'X-Request-Id',
    ({ error }) => error.requestId,
    ({ requestId }) => requestId,
  ),
  holds('/error/retryAfterSeconds', 'null, or Retry-After', ({ error }, { retryAfterSeconds }) =>
    isAsked(error.retryAfterSeconds, retryAfterSeconds),
  ),
];

/** The members of an error body of the plan routes that its response determines. */
export const PLAN_REFUSAL_MEMBERS: readonly BoundMember<Wire<PlanErrors>, RefusalSubject>[] = [
  equal(
    '/requestId',
    'X-Request-Id',
    ({ requestId }) => requestId,
    ({ requestId }) => requestId,
  ),
  equal(
    '/status',
    'the HTTP status',
    ({ status }) => status,
    ({ httpStatus }) => httpStatus,
  ),
  holds('/retryAfterSeconds', 'null, or Retry-After', (errors, { retryAfterSeconds }) =>
    isAsked(errors.retryAfterSeconds, retryAfterSeconds),
  ),
];
