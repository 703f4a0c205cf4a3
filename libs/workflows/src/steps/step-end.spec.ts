import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { describe, expect, it } from '@jest/globals';
import { operationEnded, reported } from '../fixtures/step-failures.fixture.js';
import { OperationOver, stepEndOf } from './step-end.js';

const refusedByWorker = (): Error =>
  Object.assign(new Error('Handler failed with non-retryable application error'), {
    name: 'HandlerError',
    cause: ApplicationFailure.nonRetryable('a value is not encrypted', 'PAYLOAD_NOT_ENCRYPTED'),
  });

describe('The end of an operation', () => {
  it.each([
    ['a fault that its service reported', reported('CUSTODY_FAULT'), 'fault', 'CUSTODY_FAULT'],
    ['an outage that its service reported', reported('CUSTODY_UNAVAILABLE', true), 'outage', 'CUSTODY_UNAVAILABLE'],
    ['a refusal of its worker', operationEnded(refusedByWorker()), 'fault', 'PAYLOAD_NOT_ENCRYPTED'],
    [
      'an endpoint that does not exist',
      operationEnded(Object.assign(new Error('endpoint not registered'), { name: 'HandlerError' })),
      'fault',
      'HandlerError',
    ],
    ['the end of its time', new OperationOver('TIMEOUT_SCHEDULE_TO_CLOSE'), 'over', 'TIMEOUT_SCHEDULE_TO_CLOSE'],
  ])('is the innermost code: %s', (_what, error, kind, code) => {
    expect(stepEndOf(error)).toEqual({ kind, code });
  });

  it('is none of the step’s when the workflow was cancelled', () => {
    expect(stepEndOf(operationEnded(new CancelledFailure('cancelled')))).toBeNull();
  });
});
