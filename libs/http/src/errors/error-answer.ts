import {
  catalogueEntry,
  errorBodySchema,
  findingSchema,
  orderFindings,
  type ErrorBody,
  type ErrorCode,
} from '@launch/contracts';
import { z } from 'zod';
import type { ApiError } from './api.error.js';
import type { ErrorContract, ErrorForm } from './error-contract.js';
import { wantsProblemDetails } from '../requests/media-type.js';

/** Problem details as RFC 9457 has them, with the members of `ErrorBody` beside them. */
const problemDetailsSchema = z
  .looseObject({
    type: z.string().describe('Where the code is explained.'),
    title: z.string(),
    status: z.int().min(400).max(599),
    instance: z.string().optional(),
    code: z.string(),
    requestId: z.string(),
    errors: z.array(findingSchema),
    error: errorBodySchema.shape.error,
  })
  .meta({ id: 'ProblemDetails' });

function errorBody(error: ApiError, requestId: string): ErrorBody {
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

/** A superset of the plain body, so that either kind of client finds what it knows. */
const problemBody = (error: ApiError, requestId: string): object => ({
  type: `/v4/errors#${error.code}`,
  title: error.message,
  status: error.status,
  instance: error.statusUrl ?? undefined,
  code: error.code,
  requestId,
  errors: error.findings,
  ...errorBody(error, requestId),
});

/** A body with this code as its only one. */
function example(code: ErrorCode): ErrorBody {
  const { message, retryable } = catalogueEntry(code);
  return {
    error: {
      code,
      message,
      requestId: 'req_7ZZZZZZZZZZZZZZZZZZZZZZZZZ',
      retryable,
      retryAfterSeconds: retryable ? 1 : null,
      statusUrl: null,
      findings: [],
    },
  };
}

const narrowedTo = (codes: readonly ErrorCode[]) => ({
  properties: { error: { properties: { code: { enum: [...codes] } } } },
});

const PLAIN: ErrorForm = {
  mediaType: 'application/json',
  schemas: [errorBodySchema],
  narrowedTo,
  example,
  body: errorBody,
};
const PROBLEM: ErrorForm = {
  mediaType: 'application/problem+json',
  schemas: [problemDetailsSchema],
  narrowedTo,
  body: problemBody,
};

/** The errors of the V4 and multi-role routes: the catalogue's body, or problem details for who asks for them. */
export const V4_ERRORS: ErrorContract = {
  entry: catalogueEntry,
  told: ({ status, retryAfterSeconds }) => ({ status, retryAfterSeconds }),
  forms: [PLAIN, PROBLEM],
  formFor: (accept) => (wantsProblemDetails(accept) ? PROBLEM : PLAIN),
};
