import { describe, expect, it } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import { activityFailure } from './activity-failure.js';

const coded = (retryable: boolean): Error =>
  Object.assign(new Error('BLOB_IO sha256:1'), { code: 'BLOB_IO', retryable });

describe('activityFailure', () => {
  it('keeps the code and message of a coded error, which the server retries only for an outage', () => {
    expect(activityFailure(coded(true), { isOutage: true, unknown: 'X' })).toMatchObject({
      type: 'BLOB_IO',
      message: 'BLOB_IO sha256:1',
      nonRetryable: false,
    });
    expect(activityFailure(coded(false), { isOutage: false, unknown: 'X' })).toMatchObject({
      type: 'BLOB_IO',
      nonRetryable: true,
    });
  });

  it('keeps only the name of any other error', () => {
    const failure = activityFailure(Object.assign(new TypeError('postgres://u:hunter2@h'), { code: 'ECONNREFUSED' }), {
      isOutage: true,
      unknown: 'X',
    });
    expect(failure).toMatchObject({ type: 'X', message: 'X: TypeError', nonRetryable: false });
    expect(JSON.stringify([failure, failure.cause ?? null, failure.details ?? null])).not.toContain('hunter2');
    expect(activityFailure('text', { isOutage: false, unknown: 'X' })).toMatchObject({
      message: 'X: string',
      nonRetryable: true,
    });
  });

  it('returns a failure for the workflow unchanged', () => {
    const made = ApplicationFailure.nonRetryable('no launch', 'LAUNCH_REQUIRED');
    expect(activityFailure(made, { isOutage: true, unknown: 'X' })).toBe(made);
  });
});
