/** Version of the plan transport's contract. */
export const PLAN_CONTRACT_VERSION = '4.6.2';
/** The versions that a client may ask a plan route to answer in; without a header it is the first. */
export const PLAN_RESPONSE_VERSIONS = ['1.0', '1.1', '1.2'] as const;
export type PlanResponseVersion = (typeof PLAN_RESPONSE_VERSIONS)[number];
export const PLAN_RESPONSE_VERSION_HEADER = 'Service-Launch-Response-Version';

const CHAIN = '/v4/chains/{chainId}';
const PLANS = `${CHAIN}/custom-launch-plans`;

/** The routes of the plan transport, as OpenAPI writes paths. The colon of `preflight` is a character of the path. */
export const PLAN_PATHS = {
  capabilities: `${CHAIN}/custom-launch-capabilities`,
  credential: `${CHAIN}/custom-launch-credentials/me`,
  preflight: `${PLANS}:preflight`,
  list: PLANS,
  create: PLANS,
  get: `${PLANS}/{planId}`,
  stepProof: `${PLANS}/{planId}/steps/{stepId}/proofs`,
} as const;
