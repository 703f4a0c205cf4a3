import { moduleErrorBodySchema, moduleFindingSchema } from '@launch/contracts/modules';
import { errorsOf, routesOf, type PathParameters, type RouteFamily } from '@launch/http';
import { MODULE_SCOPES, type Scope } from '../routes/scopes.js';
import type { QuotaName } from '../../platform/rate-limits/gateway-quotas.js';
import { API_ROUTES } from '../routes/api.route.js';

const PARAMETERS = {
  submissionId: { ...API_ROUTES.parameters['launchId'], description: 'The lowercase UUID of the receipt.' },
  releaseHex: { form: '[0-9a-f]{64}', description: 'The release digest in hexadecimal without a prefix.' },
} as const satisfies PathParameters;

const TAGS = {
  Modules: 'Module drafts with their receipts and reviews. Authors can read only their own.',
} as const;

type Tag = keyof typeof TAGS;

/** The module routes: their own keys and errors, and no chain (docs/reference/modules.md#module-keys). */
const MODULE_ROUTES: RouteFamily<Scope, Tag> = {
  key: {
    name: 'moduleKey',
    scheme: {
      type: 'http',
      scheme: 'bearer',
      description: `An API key for modules, bound to the wallet of the author. Scopes: ${MODULE_SCOPES.join(', ')}.`,
    },
    scopes: MODULE_SCOPES,
    missingScope: 'API_SCOPE_REQUIRED',
    asksNoChain: true,
  },
  parameters: PARAMETERS,
  errors: errorsOf({
    plain: moduleErrorBodySchema,
    finding: moduleFindingSchema,
    problem: 'ModuleProblemDetails',
  }),
  tags: TAGS,
};

/** Declares a module route. */
export const ModuleRoute = routesOf<Scope, QuotaName, Tag>(MODULE_ROUTES);
