import type {
  GatewayActivities,
  LaunchGateActivities,
  RecoveryResolveActivities,
} from '@launch/contracts/orchestration';

/** The activities that write the client's view of one launch. */
export type ProjectionActivities = Omit<GatewayActivities, keyof (RecoveryResolveActivities & LaunchGateActivities)>;

/** Adapts the service to Temporal's activities. */
export const projectionWork = (service: ProjectionActivities): ProjectionActivities => ({
  recordAdmitting: (input) => service.recordAdmitting(input),
  recordAssessment: (input) => service.recordAssessment(input),
  recordRefused: (input) => service.recordRefused(input),
  recordHandoff: (input) => service.recordHandoff(input),
  recordAwaitingSignature: (input) => service.recordAwaitingSignature(input),
  recordSubmitted: (input) => service.recordSubmitted(input),
  recordWalletState: (input) => service.recordWalletState(input),
  recordFinality: (input) => service.recordFinality(input),
  recordFinalized: (input) => service.recordFinalized(input),
  recordFailed: (input) => service.recordFailed(input),
  recordExpired: (input) => service.recordExpired(input),
});
