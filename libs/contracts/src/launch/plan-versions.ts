/** Version of the plan transport. */
export const PLAN_CONTRACT_VERSION = '4.6.2';
/** The response versions that a client can request from a plan route; the first one is the default. */
export const PLAN_RESPONSE_VERSIONS = ['1.0', '1.1', '1.2'] as const;
export type PlanResponseVersion = (typeof PLAN_RESPONSE_VERSIONS)[number];
