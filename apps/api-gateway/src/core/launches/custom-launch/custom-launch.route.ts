import { customLaunchErrorBodySchema } from '@launch/contracts/custom-launch';
import { customLaunchFindingSchema } from '@launch/contracts/launch';
import { errorsOf, routesOf, type RouteFamily } from '@launch/http';
import type { Scope } from '../../routes/scopes.js';
import type { QuotaName } from '../../../platform/rate-limits/gateway-quotas.js';
import { API_ROUTES } from '../../routes/api.route.js';

const TAGS = {
  'Custom launches':
    'Custom launches (profile 4.1.0), from a packed request to finality. A key is required. The service accepts new launches only while its gates are open.',
} as const;

type Tag = keyof typeof TAGS;

/**
 * The custom-launch routes: keys and ids of launches, errors with their own codes
 * (docs/reference/custom-launch.md#own-codes).
 */
const CUSTOM_LAUNCH_ROUTES: RouteFamily<Scope, Tag> = {
  key: API_ROUTES.key,
  parameters: API_ROUTES.parameters,
  errors: errorsOf({
    plain: customLaunchErrorBodySchema,
    finding: customLaunchFindingSchema,
    problem: 'CustomLaunchProblemDetails',
    detailedFindings: true,
  }),
  tags: TAGS,
};

/** Declares a custom-launch route. */
export const CustomLaunchRoute = routesOf<Scope, QuotaName, Tag>(CUSTOM_LAUNCH_ROUTES);
