import { reviewerErrorBodySchema, reviewerFindingSchema } from '@launch/contracts/modules';
import { errorsOf, routesOf, type PathParameters, type RouteFamily } from '@launch/http';
import { REVIEW_SCOPES, type Scope } from '../../../core/routes/scopes.js';
import type { QuotaName } from '../../../platform/rate-limits/gateway-quotas.js';
import { API_ROUTES } from '../../../core/routes/api.route.js';

const PARAMETERS = {
  submissionId: { ...API_ROUTES.parameters['launchId'], description: 'The lowercase UUID of the receipt.' },
  asset: { form: '[a-z.]{1,32}', description: 'A file of the pages.' },
  sha256: { form: 'sha256:[0-9a-f]{64}', description: 'A digest that the submission or its status names.' },
} as const satisfies PathParameters;

const TAGS = {
  Reviews: 'What reviewers of modules read and decide.',
  Console: 'The pages of the review, for a browser with a wallet.',
} as const;

type Tag = keyof typeof TAGS;

/**
 * The route family of the reviewers' listener; no other listener has it (docs/reference/modules.md#reviewer-routes).
 */
const REVIEWER_ROUTES: RouteFamily<Scope, Tag> = {
  key: {
    name: 'reviewerKey',
    scheme: {
      type: 'http',
      scheme: 'bearer',
      description: `A key that launch-admin issued. Scopes: ${REVIEW_SCOPES.join(', ')}.`,
    },
    scopes: REVIEW_SCOPES,
    missingScope: 'API_SCOPE_REQUIRED',
    asksNoChain: true,
  },
  // Its pages follow a session cookie.
  isOfOneSite: true,
  parameters: PARAMETERS,
  errors: errorsOf({
    plain: reviewerErrorBodySchema,
    finding: reviewerFindingSchema,
    problem: 'ReviewerProblemDetails',
  }),
  tags: TAGS,
};

/** Declares a route of the reviewers' listener. */
export const ReviewerRoute = routesOf<Scope, QuotaName, Tag>(REVIEWER_ROUTES);
