import { proxyActivities } from '@temporalio/workflow';
import {
  TASK_QUEUES,
  type HousekeepingInput,
  type RecoveryResolveActivities,
  type RecoveryScanActivities,
} from '@launch/contracts/orchestration';
import { housekeep } from '../housekeeping/housekeep.js';
import type { OperatorConsole } from '../operator/operator-console.js';
import { stepSummary } from '../operator/step-summaries.js';
import { IDEMPOTENT_WRITE, READ_ONLY } from '../retry-profiles.js';
import { boundedSteps, type Patience } from '../steps/bounded-steps.js';
import { IDLE_MS, searchRound, type RecoverySteps } from './recover-launches.logic.js';

/** The most rounds of one run, with about thirty history events each. */
const ROUNDS_A_RUN = 150;

/**
 * The server retries an outage for the time of the step. Any other failure ends the round, and the next one repeats it.
 */
const once = (watch: OperatorConsole): Patience => ({
  faults: 1,
  losses: 1,
  pauses: [],
  pause: async () => undefined,
  watch,
});

function stepsOf(shown: OperatorConsole): RecoverySteps {
  const patience = once(shown);
  return {
    finality: boundedSteps(
      (step) =>
        proxyActivities<RecoveryScanActivities>({
          ...READ_ONLY,
          scheduleToCloseTimeout: '10 minutes',
          taskQueue: TASK_QUEUES.finality,
          summary: stepSummary(step),
        }),
      patience,
    ),
    gateway: boundedSteps(
      (step) =>
        proxyActivities<RecoveryResolveActivities>({
          ...IDEMPOTENT_WRITE,
          scheduleToCloseTimeout: '2 minutes',
          taskQueue: TASK_QUEUES.gateway,
          summary: stepSummary(step),
        }),
      patience,
    ),
  };
}

/** Searches finalized blocks periodically for launches that hints and observers missed. */
export async function recoverLaunches(input?: HousekeepingInput): Promise<void> {
  return housekeep(input, {
    everyMs: IDLE_MS,
    maxRounds: ROUNDS_A_RUN,
    round: (shown) => searchRound(stepsOf(shown)),
  });
}
