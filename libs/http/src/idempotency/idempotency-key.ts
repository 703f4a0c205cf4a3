import { servedFinding } from '@launch/contracts/errors';
import { LIMITS } from '@launch/contracts/primitives';
import type { FastifyRequest } from 'fastify';
import { ApiError, detailedRefusal } from '../errors/api.error.js';

/** Returns the key of a request. @throws ApiError `IDEMPOTENCY_KEY_REQUIRED` or `IDEMPOTENCY_KEY_INVALID`. */
export function idempotencyKeyOf(request: FastifyRequest): string {
  const [code, expected] = ['IDEMPOTENCY_KEY_INVALID', '16-128 characters of A-Z a-z 0-9 . _ : -'] as const;
  const header = request.headers['idempotency-key'];
  if (header === undefined || header === '')
    throw detailedRefusal('IDEMPOTENCY_KEY_REQUIRED', '', { expected, actual: 'no Idempotency-Key' });
  if (Array.isArray(header) || !LIMITS.idempotencyKeyPattern.test(header)) {
    // Does not repeat the value: it may be the API key.
    const actual = `${String(header).length} characters of another form`;
    throw new ApiError(code, {
      findings: [servedFinding(code, '', { expected })],
      detailedFindings: [servedFinding(code, '', { expected, actual })],
    });
  }
  return header;
}
