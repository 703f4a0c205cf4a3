import { expect, it } from '@jest/globals';
import { ERROR_CODES } from '../errors/catalogue.js';
import { CUSTOM_LAUNCH_CODES, type AnyCode } from '../errors/custom-launch.catalogue.js';
import { PLAN_ERROR_STATUSES, planEntry } from './plan-statuses.js';

it.each([...new Set<AnyCode>([...ERROR_CODES, ...CUSTOM_LAUNCH_CODES])])(
  '%s has a status of the plan transport, which is 503 if it is retryable.',
  (code) => {
    const { status, retryable } = planEntry(code);
    expect(PLAN_ERROR_STATUSES).toContain(status);
    expect(retryable).toBe(status === 503);
  },
);

it.each<[AnyCode, number]>([
  ['UNAUTHENTICATED', 401],
  ['INSUFFICIENT_SCOPE', 401],
  ['CHAIN_NOT_ALLOWED', 401],
  ['WALLET_BINDING_MISMATCH', 422],
  ['IDEMPOTENCY_CONFLICT', 409],
  ['NONCE_IN_USE', 422],
  ['QUERY_INVALID', 422],
  ['REQUEST_TOO_LARGE', 422],
  ['UNSUPPORTED_MEDIA_TYPE', 422],
  ['RATE_LIMITED', 503],
  ['REQUEST_TIMEOUT', 503],
  ['INTERNAL', 503],
  ['METHOD_NOT_ALLOWED', 405],
  ['PREDECESSOR_MISMATCH', 409],
  ['PLAN_NOT_FOUND', 422],
])('The plan transport answers %s with the status %i.', (code, status) => expect(planEntry(code).status).toBe(status));
