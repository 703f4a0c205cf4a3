/** Names the context of multi-role launches; null where none is configured. */
export const CONFIGURED_CONTEXT = Symbol('ConfiguredContext');
/** Names the reviewed routers. */
export const REVIEWED_ROUTERS = Symbol('ReviewedRouters');
