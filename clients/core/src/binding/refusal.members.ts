import type { PlanErrors } from '@launch/contracts/plans';
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

/** The members of an error body that its headers repeat. A body of an earlier service may omit them. */
interface Refusal {
  readonly error: { readonly requestId?: string | null; readonly retryAfterSeconds?: number | null };
}

/** Whether a body and a header say the same, where both say something. */
const isSame = <Value>(said: Value | null | undefined, header: Value | undefined): boolean =>
  said === null || said === undefined || header === undefined || said === header;

/** The members of an error body that its response determines. */
export const REFUSAL_MEMBERS: readonly BoundMember<Refusal, RefusalSubject>[] = [
  holds('/error/requestId', 'X-Request-Id', ({ error }, { requestId }) => isSame(error.requestId, requestId)),
  holds('/error/retryAfterSeconds', 'null, or Retry-After', ({ error }, { retryAfterSeconds }) =>
    isSame(error.retryAfterSeconds, retryAfterSeconds),
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
    isSame(errors.retryAfterSeconds, retryAfterSeconds),
  ),
];
