import { gatewayInputs } from '@launch/contracts/activities';
import type { GatewayActivities } from '@launch/contracts/orchestration';
import { Activities, type ActivityEdge, type ActivityWork } from '@launch/worker';

const FAILED = 'GATEWAY_STEP_FAILED';

/** The activities of `launch-gateway`, whatever product they are of. */
export const createGatewayActivities = (
  work: ActivityWork<GatewayActivities>,
  onTrouble: ActivityEdge['onTrouble'],
): Activities<GatewayActivities> =>
  new Activities<GatewayActivities>(gatewayInputs, work, { failures: { outage: FAILED, fault: FAILED }, onTrouble });
