import type { ActivityOptions } from '@temporalio/common';

/** The server reports a lost step to the workflow, which counts it, so that no step can kill its worker repeatedly. */
const COUNTED_BY_THE_WORKFLOW = ['TemporalTimeout:Heartbeat', 'TemporalTimeout:StartToClose'];

/**
 * The two retry profiles of activities. The server retries outages itself for the time of the step. It reports faults,
 * which services mark as such, and lost steps to the workflow, which bounds them (`steps/bounded-steps.ts`). Reads may
 * repeat freely, and writes are idempotent. Custody's operations have none: `steps/operation.ts`.
 */
export const READ_ONLY: ActivityOptions = {
  // The longest of them calls the chain. Missing heartbeats reveal a stuck step much earlier.
  startToCloseTimeout: '5 minutes',
  // Steps send a heartbeat every 5 s, so another worker soon takes over the step of a killed one.
  heartbeatTimeout: '15 seconds',
  retry: {
    initialInterval: '500 milliseconds',
    backoffCoefficient: 2,
    maximumInterval: '15 seconds',
    nonRetryableErrorTypes: COUNTED_BY_THE_WORKFLOW,
  },
};

/**
 * A long compilation yields the processor to shorter ones and counts its own processor time, so the wall-clock time may
 * be many times longer.
 */
export const LONG_COMPILATION: ActivityOptions = { ...READ_ONLY, startToCloseTimeout: '20 minutes' };

export const IDEMPOTENT_WRITE: ActivityOptions = {
  startToCloseTimeout: '30 seconds',
  retry: {
    initialInterval: '250 milliseconds',
    backoffCoefficient: 2,
    maximumInterval: '15 seconds',
    nonRetryableErrorTypes: COUNTED_BY_THE_WORKFLOW,
  },
};
