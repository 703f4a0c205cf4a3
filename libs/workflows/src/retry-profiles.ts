import type { ActivityOptions } from '@temporalio/common';

/**
 * The three ways a step may be tried again. Reads may repeat at will; a write is
 * idempotent and bounded; the irreversible step is tried once per decision of the
 * workflow, because only its owner knows what was already committed.
 */
export const READ_ONLY: ActivityOptions = {
  startToCloseTimeout: '3 minutes',
  heartbeatTimeout: '30 seconds',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '15 seconds' },
};

export const IDEMPOTENT_WRITE: ActivityOptions = {
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '250 milliseconds', backoffCoefficient: 2, maximumInterval: '15 seconds' },
};

export const IRREVERSIBLE: ActivityOptions = {
  startToCloseTimeout: '60 seconds',
  retry: { maximumAttempts: 1 },
};
