import { ApplicationFailure } from '@temporalio/workflow';
import { STEP_ABANDONED } from '@launch/contracts/orchestration';
import type { StepAbandoned } from '../steps/step-end.js';

/**
 * Returns the failure of a preflight whose step was given up. Only a fault is `STEP_ABANDONED`, because the same bytes would
 * fail again. After an outage the client may repeat the preflight, so the failure has the code of the outage.
 */
export const abandonedPreflight = ({ message, reason, code }: StepAbandoned): ApplicationFailure =>
  ApplicationFailure.nonRetryable(message, reason === 'fault' ? STEP_ABANDONED : code);
