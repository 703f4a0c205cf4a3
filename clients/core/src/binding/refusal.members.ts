import type { PlanErrors } from '@launch/contracts/plans';
import type { ErrorBody } from '@launch/contracts/validation';
import { equal, type BoundMember } from './bound-member.js';
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
  const [id, after] = [headers.get('x-request-id') ?? '', headers.get('retry-after') ?? ''];
  return {
    httpStatus,
    requestId: REQUEST_ID.test(id) ? id : undefined,
    retryAfterSeconds: /^\d{1,8}$/.test(after) ? Number(after) : undefined,
  };
}

/** The members of an error body that its response determines. */
export const REFUSAL_MEMBERS: readonly BoundMember<Wire<ErrorBody>, RefusalSubject>[] = [
  equal(
    '/error/requestId',
    'X-Request-Id',
    ({ error }) => error.requestId,
    ({ requestId }) => requestId,
  ),
  equal(
    '/error/retryAfterSeconds',
    'Retry-After',
    ({ error }) => error.retryAfterSeconds,
    ({ retryAfterSeconds }) => retryAfterSeconds,
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
  equal(
    '/retryAfterSeconds',
    'Retry-After',
    ({ retryAfterSeconds }) => retryAfterSeconds,
    ({ retryAfterSeconds }) => retryAfterSeconds,
  ),
];
