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

type AllGatewayActivities = GatewayActivities & PlanGatewayActivities & EthereumFeedActivities;
type ModuleActivities = ModuleGatewayActivities & ReviewReadinessGatewayActivities;

const FAILED = 'GATEWAY_STEP_FAILED';

/** Creates the activities of `launch-gateway` for launches, plans and feeds. */
export const createGatewayActivities = (
  work: ActivityWork<AllGatewayActivities>,
  onTrouble: ActivityEdge['onTrouble'],
): Activities<AllGatewayActivities> =>
  new Activities<AllGatewayActivities>({ ...gatewayInputs, ...planGatewayInputs, ...ethereumFeedInputs }, work, {
    failures: { outage: FAILED, fault: FAILED },
    onTrouble,
  });

/** Creates the activities of `launch-gateway` in the namespace of modules. */
export const createModuleActivities = (
  work: ActivityWork<ModuleActivities>,
  onTrouble: ActivityEdge['onTrouble'],
): Activities<ModuleActivities> =>
  new Activities<ModuleActivities>(moduleGatewayInputs, work, {
    failures: { outage: FAILED, fault: FAILED },
    onTrouble,
  });
