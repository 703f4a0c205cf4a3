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

/** The activities of `launch-gateway`, whatever product they are of. */
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
