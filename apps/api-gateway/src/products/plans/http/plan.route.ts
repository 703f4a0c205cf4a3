import { PLAN_RESPONSE_VERSION_HEADER } from '@launch/contracts/plans';
import { PLAN_RESPONSE_VERSIONS } from '@launch/contracts/launch';
import { routesOf, type PathParameters, type RouteFamily } from '@launch/http';
import type { Scope } from '../../../core/routes/scopes.js';
import { PLAN_ERRORS } from './plan-errors.js';
import type { QuotaName } from '../../../platform/rate-limits/gateway-quotas.js';
import { API_ROUTES } from '../../../core/routes/api.route.js';

const PARAMETERS = {
  chainId: {
    form: '4663',
    refusal: 'CHAIN_NOT_SUPPORTED',
    description: 'The chain id. The service rejects any other chain before it reads the key.',
    schema: { type: 'string', enum: ['4663'] },
  },
  planId: {
    description: 'The plan id from create or list, a UUID in lowercase. Any other value is treated as an absent plan.',
    schema: { type: 'string', format: 'uuid' },
  },
  stepId: {
    description: 'The id of a step of the plan.',
    schema: { type: 'string', pattern: '^[a-z0-9-]{1,64}$' },
  },
} as const satisfies PathParameters;

const TAGS = {
  Plans: 'Launches in ordered wallet steps. All errors have the same body and use a small set of statuses.',
} as const;

type Tag = keyof typeof TAGS;

/** The routes of the plan transport: keys of launches, errors and versions of their own (docs/reference/plans.md#transport). */
export const PLAN_ROUTES: RouteFamily<Scope, Tag> = {
  key: API_ROUTES.key,
  errors: PLAN_ERRORS,
  parameters: PARAMETERS,
  versions: {
    header: PLAN_RESPONSE_VERSION_HEADER,
    supported: PLAN_RESPONSE_VERSIONS,
    byDefault: PLAN_RESPONSE_VERSIONS[0],
    unknown: 'RESPONSE_VERSION_UNKNOWN',
  },
  tags: TAGS,
};

/** Declares a route of the plan transport. */
export const PlanRoute = routesOf<Scope, QuotaName, Tag>(PLAN_ROUTES);
