import { describe, expect, it } from '@jest/globals';
import { LaunchClientError } from '@launch/sdk';
import { ownerFailureOf, type OwnerFailure } from './owner-read.js';
import { nextReadAfter, UNREAD } from './polling.js';

const failed = (is: OwnerFailure['is'], failures: number, retryAfterSeconds: number | null = null): number | null =>
  nextReadAfter(
    { ...UNREAD, failures, failure: { is, code: 'X', message: '', requestId: null, retryAfterSeconds } },
    3_000,
  );

describe('A read that repeats', () => {
  it('pauses as the value asks, and ends with a value that changes no more', () => {
    expect(nextReadAfter({ ...UNREAD, value: 1, readAt: 1 }, 3_000)).toBe(3_000);
    expect(nextReadAfter({ ...UNREAD, value: 1, readAt: 1 }, null)).toBeNull();
  });

  it('backs off while the service does not answer, up to two minutes', () => {
    expect([1, 2, 3, 20].map((failures) => failed('down', failures))).toEqual([5_000, 10_000, 20_000, 120_000]);
  });

  it('waits at least as long as Retry-After asks', () => {
    expect(failed('limited', 1, 42)).toBe(42_000);
    expect(failed('down', 5, 1)).toBe(80_000);
  });

  it.each(['absent', 'denied', 'refused'] as const)('ends when the answer is %s: another read gives the same', (is) => {
    expect(failed(is, 1, 1)).toBeNull();
  });
});

describe('The failure of an owner read', () => {
  it.each([
    [404, 'NOT_FOUND', 'absent'],
    [422, 'PLAN_NOT_FOUND', 'absent'],
    [401, 'KEY_INVALID', 'denied'],
    [403, 'INSUFFICIENT_SCOPE', 'denied'],
    [null, 'SIGN_IN_EXPIRED', 'denied'],
    [429, 'RATE_LIMITED', 'limited'],
    [503, 'RATE_LIMITED', 'limited'],
    [503, 'SERVICE_UNAVAILABLE', 'down'],
    [null, 'SERVICE_UNREACHABLE', 'down'],
    [422, 'SCHEMA_INVALID', 'refused'],
  ] as const)('with status %s and code %s is %s', (status, code, is) => {
    expect(ownerFailureOf(new LaunchClientError(code, 'said', { status }))).toMatchObject({
      is,
      code,
      message: 'said',
    });
  });

  it('is a fault of the site if no client threw it', () => {
    expect(() => ownerFailureOf(new TypeError('a fault'))).toThrow('a fault');
  });
});
