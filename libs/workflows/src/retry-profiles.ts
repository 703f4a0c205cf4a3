import type { ActivityOptions } from '@temporalio/common';

/** A step that is heard of no more is told to the workflow, which counts: nothing may kill its worker again and again. */
const COUNTED_BY_THE_WORKFLOW = ['TemporalTimeout:Heartbeat', 'TemporalTimeout:StartToClose'];

/**
 * The three ways a step may be tried again. The server repeats outages by itself, for as long as the step may take.
 * Faults, which services tell apart, and lost steps it hands to the workflow, which bounds them
 * (`steps/bounded-steps.ts`). Reads may repeat at will; a write is idempotent. The irreversible step is tried once per
 * decision of the workflow: only its owner knows what was already committed.
 */
export const READ_ONLY: ActivityOptions = {
  // The longest of them asks the chain; a step that is stuck is missed by its heartbeats long before.
  startToCloseTimeout: '5 minutes',
  // Steps say every 5 s that they live; a killed worker's step is another's a moment later.
  heartbeatTimeout: '15 seconds',
  retry: {
    initialInterval: '500 milliseconds',
    backoffCoefficient: 2,
    maximumInterval: '15 seconds',
    nonRetryableErrorTypes: COUNTED_BY_THE_WORKFLOW,
  },
};

/** It yields the processor to shorter ones: its processor time, which it counts itself, may take many times as long. */
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

export const IRREVERSIBLE: ActivityOptions = {
  // Signing takes about a second. A custody that was killed is asked again after this, out of the permit's window.
  startToCloseTimeout: '20 seconds',
  retry: { maximumAttempts: 1 },
};
