/** Version of the plan transport's contract. */
export const PLAN_CONTRACT_VERSION = '4.6.2';
/** The versions that a client may ask a plan route to answer in; without a header it is the first. */
export const PLAN_RESPONSE_VERSIONS = ['1.0', '1.1', '1.2'] as const;
export type PlanResponseVersion = (typeof PLAN_RESPONSE_VERSIONS)[number];
