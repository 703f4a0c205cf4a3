import { LIMITS } from '@launch/contracts';
import type { FastifyRequest } from 'fastify';
import { ApiError, refusal } from '../errors/api.error.js';

/** The key of a request. @throws ApiError `IDEMPOTENCY_KEY_REQUIRED` or `IDEMPOTENCY_KEY_INVALID` (spec 2, Limits). */
export function idempotencyKeyOf(request: FastifyRequest): string {
  const header = request.headers['idempotency-key'];
  if (header === undefined || header === '') throw new ApiError('IDEMPOTENCY_KEY_REQUIRED');
  if (Array.isArray(header) || !LIMITS.idempotencyKeyPattern.test(header)) {
    throw refusal('IDEMPOTENCY_KEY_INVALID', '', { expected: '16-128 characters of A-Z a-z 0-9 . _ : -' });
  }
  return header;
}
