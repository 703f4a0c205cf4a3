import { SCOPES, type Scope } from './scopes.js';
import { routesOf, DEFAULT_ERRORS, type PathParameters, type RouteFamily } from '@launch/http';
import type { QuotaName } from '../../platform/rate-limits/gateway-quotas.js';

const PARAMETERS = {
  launchId: {
    form: '[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}',
    description: 'The launch id from create or list, a UUID in lowercase.',
    schema: { type: 'string', format: 'uuid' },
  },
  onchainLaunchId: { form: '0x[0-9a-f]{64}', description: 'The 32-byte launch id of the router, in lowercase.' },
  contractVersion: {
    description: 'The profile without its last part, such as `4.1`.',
  },
  contractSha256: { form: '[0-9a-f]{64}', description: 'SHA-256 of the contract in hexadecimal without a prefix.' },
  evidenceSha256: { form: '[0-9a-f]{64}', description: 'SHA-256 of the bundle in hexadecimal without a prefix.' },
  document: { form: '[a-z0-9-]{1,64}\\.md', description: 'The file name of a document.' },
  asset: { form: '[a-z0-9-]{1,64}\\.[a-z]{2,4}', description: 'The name of a file that the page loads.' },
} as const satisfies PathParameters;

/** Sections of the description to which several products contribute. */
export const SHARED_SECTIONS = {
  Discovery: 'The routes and readiness of this deployment. Read these first. No key is required.',
  'Public feed': 'Finalized launches. Public: no key is required.',
} as const;

const TAGS = {
  ...SHARED_SECTIONS,
  Downloads: 'The guides, the reference pages and the client programs, with their digests.',
  Keys: 'API keys for wallets that sign in.',
  Operations: 'Health checks for operators, and this API description.',
} as const;

type Tag = keyof typeof TAGS;

/** Routes of several products: launch keys, and the error body of the catalogue. */
export const API_ROUTES: RouteFamily<Scope, Tag> = {
  key: {
    name: 'apiKey',
    scheme: {
      type: 'http',
      scheme: 'bearer',
      description: `An API key for chain 4663, bound to one wallet. A partner key is bound to a list of wallets. Scopes: ${SCOPES.join(', ')}.`,
    },
    scopes: SCOPES,
    missingScope: 'INSUFFICIENT_SCOPE',
  },
  errors: DEFAULT_ERRORS,
  parameters: PARAMETERS,
  tags: TAGS,
};

/** Declares a route of this family. */
export const Route = routesOf<Scope, QuotaName, Tag>(API_ROUTES);
