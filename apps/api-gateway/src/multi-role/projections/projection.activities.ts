import type { GatewayActivities } from '@launch/contracts/orchestration';
import type { Step } from '@launch/worker';

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

/** The service as Temporal calls it. */
export function createProjectionActivities(service: ProjectionActivities, step: Step): ProjectionActivities {
  const activity =
    (name: keyof ProjectionActivities) =>
    (input: never): Promise<void> =>
      step(() => service[name](input));
  return Object.fromEntries(NAMES.map((name) => [name, activity(name)])) as unknown as ProjectionActivities;
}
