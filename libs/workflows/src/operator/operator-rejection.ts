import { ApplicationFailure } from '@temporalio/workflow';
import { OPERATOR_REJECTIONS } from '@launch/contracts/orchestration';

/** Rejects an update before it is in the history: thrown by validators alone. */
export function rejection(why: keyof typeof OPERATOR_REJECTIONS, message: string): ApplicationFailure {
  const code = OPERATOR_REJECTIONS[why];
  return ApplicationFailure.nonRetryable(`${code}: ${message}`, code);
}
