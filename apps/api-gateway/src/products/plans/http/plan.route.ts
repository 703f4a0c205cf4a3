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
    description: 'The chain; the service refuses any other before it reads a key.',
    schema: { type: 'string', enum: ['4663'] },
  },
  planId: {
    description: 'The lowercase UUID from create or list. Any other id is an absent plan.',
    schema: { type: 'string', format: 'uuid' },
  },
  stepId: {
    description: 'A step of the plan.',
    schema: { type: 'string', pattern: '^[a-z0-9-]{1,64}$' },
  },
} as const satisfies PathParameters;

const TAGS = {
  Plans: 'The plan transport: launches in ordered wallet steps. Its errors have one body and few statuses.',
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
