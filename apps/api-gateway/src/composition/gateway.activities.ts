import {
  ethereumFeedInputs,
  gatewayInputs,
  moduleGatewayInputs,
  planGatewayInputs,
} from '@launch/contracts/activities';
import type {
  EthereumFeedActivities,
  GatewayActivities,
  ModuleGatewayActivities,
  PlanGatewayActivities,
  ReviewReadinessGatewayActivities,
} from '@launch/contracts/orchestration';
import { Activities, type ActivityEdge, type ActivityWork } from '@launch/worker';

type AllGatewayActivities = GatewayActivities &
  PlanGatewayActivities &
  ModuleGatewayActivities &
  ReviewReadinessGatewayActivities &
  EthereumFeedActivities;

const FAILED = 'GATEWAY_STEP_FAILED';

/** Creates the activities of `launch-gateway` for all products. */
export const createGatewayActivities = (
  work: ActivityWork<AllGatewayActivities>,
  onTrouble: ActivityEdge['onTrouble'],
): Activities<AllGatewayActivities> =>
  new Activities<AllGatewayActivities>(
    { ...gatewayInputs, ...planGatewayInputs, ...moduleGatewayInputs, ...ethereumFeedInputs },
    work,
    {
      failures: { outage: FAILED, fault: FAILED },
      onTrouble,
    },
  );
