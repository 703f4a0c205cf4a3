import { describe, expect, it } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import { activityFailure } from './activity-failure.js';

const coded = (retryable: boolean): Error =>
  Object.assign(new Error('BLOB_IO sha256:1'), { code: 'BLOB_IO', retryable });

describe('activityFailure', () => {
  it('names an error of ours by its code and words, tried again by the server only while it is an outage', () => {
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

  it('tells nothing of another error but its name', () => {
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

  it('leaves a failure that was made for the workflow as it is', () => {
    const made = ApplicationFailure.nonRetryable('no launch', 'LAUNCH_REQUIRED');
    expect(activityFailure(made, { isOutage: true, unknown: 'X' })).toBe(made);
  });
});
