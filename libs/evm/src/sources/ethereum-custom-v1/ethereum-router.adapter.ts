import { LAUNCH_KINDS } from '../../router-v1/router-v1.types.js';
import { routerV1Adapter } from '../custom-router-v1/router-v1.adapter.js';

/** Every router generation on Ethereum, Foundation graphs included (docs/reference/index-sources.md#ethereum-routers). */
export const ETHEREUM_CUSTOM_V1 = routerV1Adapter('ethereum-custom-v1', [
  LAUNCH_KINDS.customGraph,
  LAUNCH_KINDS.foundationGraph,
]);
