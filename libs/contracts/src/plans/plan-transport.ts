export const PLAN_RESPONSE_VERSION_HEADER = 'Service-Launch-Response-Version';

const CHAIN = '/v4/chains/{chainId}';
const PLANS = `${CHAIN}/custom-launch-plans`;

/** The routes of the plan transport, as OpenAPI writes paths. The colon of `preflight` is part of the path. */
export const PLAN_PATHS = {
  capabilities: `${CHAIN}/custom-launch-capabilities`,
  credential: `${CHAIN}/custom-launch-credentials/me`,
  preflight: `${PLANS}:preflight`,
  list: PLANS,
  create: PLANS,
  get: `${PLANS}/{planId}`,
  request: `${PLANS}/{planId}/request`,
  stepProof: `${PLANS}/{planId}/steps/{stepId}/proofs`,
} as const;
