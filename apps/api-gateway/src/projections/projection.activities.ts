import { ApplicationFailure } from '@temporalio/common';
import type { GatewayActivities } from '@launch/contracts/orchestration';
import { ProjectionError } from './projection.error.js';

const NAMES = [
  'recordAdmitting',
  'recordAssessment',
  'recordRefused',
  'recordHandoff',
  'recordAwaitingSignature',
  'recordSubmitted',
  'recordFinality',
  'recordFinalized',
  'recordFailed',
  'recordExpired',
] as const satisfies readonly (keyof GatewayActivities)[];

/** The activities that write the client's view of one launch. */
export type ProjectionActivities = Pick<GatewayActivities, (typeof NAMES)[number]>;

/** The service as Temporal calls it: what cannot pass by waiting is told to be final, everything else is tried again. */
export function createProjectionActivities(service: ProjectionActivities): ProjectionActivities {
  const activity = (name: keyof ProjectionActivities) => async (input: never): Promise<void> => {
    try {
      await service[name](input);
    } catch (error) {
      if (!(error instanceof ProjectionError)) throw error;
      throw ApplicationFailure.create({ type: error.code, message: error.message, nonRetryable: !error.retryable, cause: error });
    }
  };
  return Object.fromEntries(NAMES.map((name) => [name, activity(name)])) as unknown as ProjectionActivities;
}
