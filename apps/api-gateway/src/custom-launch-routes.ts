import { customLaunchErrorBodySchema, customLaunchFindingSchema } from '@launch/contracts';
import { errorsOf, routesOf, type RouteFamily } from '@launch/http';
import type { Scope } from './accounts/credentials/caller.js';
import type { QuotaName } from './rate-limits/gateway-quotas.js';
import { V4_ROUTES } from './v4-routes.js';

const TAGS = {
  'Custom launches':
    'V4 launches (profile 4.1.0): from a packed request to finality. Needs a key; closed gates stop new ones.',
} as const;

type Tag = keyof typeof TAGS;

/** The V4 launch routes (spec 1, V4 launch routes): keys and ids of launches, errors in codes of their own. */
const CUSTOM_LAUNCH_ROUTES: RouteFamily<Scope, Tag> = {
  key: V4_ROUTES.key,
  parameters: V4_ROUTES.parameters,
  errors: errorsOf({
    plain: customLaunchErrorBodySchema,
    finding: customLaunchFindingSchema,
    problem: 'CustomLaunchProblemDetails',
    wholeFindings: true,
  }),
  tags: TAGS,
};

/** Declares a V4 launch route. */
export const CustomLaunchRoute = routesOf<Scope, QuotaName, Tag>(CUSTOM_LAUNCH_ROUTES);
