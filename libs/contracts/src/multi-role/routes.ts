import { CHAIN_BASE_PATH } from '../primitives/limits.js';

/** Every multi-role route lives under this path. */
export const MULTI_ROLE_BASE_PATH = `${CHAIN_BASE_PATH}/multi-role-custom-launches`;
/** Names this API among the launch routes of the chain. */
export const MULTI_ROLE_ROUTE_ID = 'custom-launch:create:multi-role-v2';
/** Names router V2 in permits, stamps and contexts. */
export const ROUTER_PROTOCOL = 'service.multi-role-launch-stamp-router.v2';
