import { servedEntry, orderFindings, type ServedCode, type ServedFinding } from '@launch/contracts/errors';
import { errorBodySchema, findingSchema } from '@launch/contracts/validation';
import { z } from 'zod';
import type { ApiError } from './api.error.js';
import type { ErrorContract, ErrorForm } from './error-contract.js';
import { wantsProblemDetails } from '../requests/media-type.js';

/** Error bodies of one family of routes. */
export interface ErrorSchemas {
  /** The plain body, whose `error` is part of problem details too. */
  readonly plain: z.ZodObject<{ error: z.ZodType }>;
  readonly finding: z.ZodType;
  /** The name of the schema of its problem details. */
  readonly problem: string;
  /** Whether every refusal is reported as a finding with all details. */
  readonly detailedFindings?: true;
}

type Findings = (error: ApiError) => readonly ServedFinding[];

/** Builds the schema of problem details (RFC 9457) with the members of the plain body. */
const problemDetails = ({ plain, finding, problem }: ErrorSchemas): z.ZodType =>
  z
    .looseObject({
      type: z.string().describe('Path of the page that explains the error code.'),
      title: z.string(),
      status: z.int().min(400).max(599),
      instance: z.string().optional(),
      code: z.string(),
      requestId: z.string(),
      errors: z.array(finding),
      error: plain.shape.error,
    })
    .meta({ id: problem });

const errorBody =
  (findings: Findings) =>
  (error: ApiError, requestId: string): object => {
    return {
      error: {
        code: error.code,
        message: error.message,
        requestId,
        retryable: error.retryable,
        retryAfterSeconds: error.retryAfterSeconds,
        statusUrl: error.statusUrl,
        findings: orderFindings(findings(error)),
      },
    };
  };

/** Builds a superset of the plain body, so that clients of either kind find their members. */
const problemBody =
  (findings: Findings) =>
  (error: ApiError, requestId: string): object => ({
    type: `/v4/errors#${error.code}`,
    title: error.message,
    status: error.status,
    instance: error.statusUrl ?? undefined,
    code: error.code,
    requestId,
    errors: findings(error),
    ...errorBody(findings)(error, requestId),
  });

/** Returns a body with only this code. */
function example(code: ServedCode): object {
  const { message, retryable } = servedEntry(code);
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

const narrowedTo = (codes: readonly ServedCode[]) => ({
  properties: { error: { properties: { code: { enum: [...codes] } } } },
});

/**
 * Creates an error contract with one plain body, and problem details for clients that request them. @param schemas name
 * the codes.
 */
export function errorsOf(schemas: ErrorSchemas): ErrorContract {
  const findings: Findings = (error) => (schemas.detailedFindings === true ? error.detailedFindings : error.findings);
  const plain: ErrorForm = {
    mediaType: 'application/json',
    schemas: [schemas.plain],
    narrowedTo,
    example,
    body: errorBody(findings),
  };
  const problem: ErrorForm = {
    mediaType: 'application/problem+json',
    schemas: [problemDetails(schemas)],
    narrowedTo,
    body: problemBody(findings),
  };
  return {
    entry: servedEntry,
    head: ({ status, retryAfterSeconds }) => ({ status, retryAfterSeconds }),
    forms: [plain, problem],
    formFor: (accept) => (wantsProblemDetails(accept) ? problem : plain),
  };
}

/** The errors of the multi-role routes, and of requests that match no route. */
export const DEFAULT_ERRORS: ErrorContract = errorsOf({
  plain: errorBodySchema,
  finding: findingSchema,
  problem: 'ProblemDetails',
});
