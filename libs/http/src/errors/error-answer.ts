import { orderFindings, type ErrorBody } from '@launch/contracts';
import type { ApiError } from './api.error.js';

/** The error body of the V4 and multi-role routes. */
export function errorBody(error: ApiError, requestId: string): ErrorBody {
  return {
    error: {
      code: error.code,
      message: error.message,
      requestId,
      retryable: error.retryable,
      retryAfterSeconds: error.retryAfterSeconds,
      statusUrl: error.statusUrl,
      findings: orderFindings(error.findings),
    },
  };
}

/** The same as problem details (RFC 9457): a superset, so that either kind of client finds what it knows. */
export function problemBody(error: ApiError, requestId: string): Record<string, unknown> {
  return {
    type: `/v4/errors#${error.code}`,
    title: error.message,
    status: error.status,
    instance: error.statusUrl ?? undefined,
    code: error.code,
    requestId,
    errors: error.findings,
    ...errorBody(error, requestId),
  };
}
