import { routesOf, type PathParameters, type RouteFamily } from '@launch/http';
import { API_ROUTES, SHARED_SECTIONS } from '../../../core/routes/api.route.js';
import type { Scope } from '../../../core/routes/scopes.js';
import type { QuotaName } from '../../../platform/rate-limits/gateway-quotas.js';

const PARAMETERS = {
  ...API_ROUTES.parameters,
  sha256hex: { form: '[0-9a-f]{64}', description: 'SHA-256 of the image in hexadecimal without a prefix.' },
} as const satisfies PathParameters;

const TAGS = {
  ...SHARED_SECTIONS,
  Launches:
    'Multi-role launches, from a packed request to finality. A key is required, and gives access only to the launches of its owner.',
} as const;

type Tag = keyof typeof TAGS;

/** The route family of multi-role launches: it takes launch keys and uses the error body of the catalogue. */
const MULTI_ROLE_ROUTES: RouteFamily<Scope, Tag> = { ...API_ROUTES, parameters: PARAMETERS, tags: TAGS };

/** Declares a route of multi-role launches. */
export const MultiRoleRoute = routesOf<Scope, QuotaName, Tag>(MULTI_ROLE_ROUTES);
