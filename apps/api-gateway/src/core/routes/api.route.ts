import { SCOPES, type Scope } from './scopes.js';
import { routesOf, V4_ERRORS, type PathParameters, type RouteFamily } from '@launch/http';
import type { QuotaName } from '../../platform/rate-limits/gateway-quotas.js';

const PARAMETERS = {
  launchId: {
    form: '[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}',
    description: 'The lowercase UUID from create or list.',
    schema: { type: 'string', format: 'uuid' },
  },
  onchainLaunchId: { form: '0x[0-9a-f]{64}', description: "The router's 32-byte launch id, lowercase." },
  contractVersion: {
    description: 'The profile without its last part, `4.1`.',
  },
  evidenceSha256: { form: '[0-9a-f]{64}', description: 'SHA-256 of the bundle, as bare hex.' },
  asset: { form: '[a-z0-9-]{1,64}\\.[a-z]{2,4}', description: 'A file that the page loads.' },
} as const satisfies PathParameters;

/** Sections of the description to which several products contribute. */
export const SHARED_SECTIONS = {
  Discovery: 'The routes and readiness of this deployment. Read first; no key.',
  'Public feed': 'Finalized launches; public.',
} as const;

const TAGS = {
  ...SHARED_SECTIONS,
  Downloads: 'The guide and the programs, as original bytes under their digests.',
  Keys: 'A key for a wallet that signs in.',
  Operations: 'For operators of the service, and this description.',
} as const;

type Tag = keyof typeof TAGS;

/** Routes of several products: launch keys, and the error body of the catalogue. */
export const API_ROUTES: RouteFamily<Scope, Tag> = {
  key: {
    name: 'apiKey',
    scheme: {
      type: 'http',
      scheme: 'bearer',
      description: `An API key for chain 4663, bound to one wallet, or a partner's to a list of them. Scopes: ${SCOPES.join(', ')}.`,
    },
    scopes: SCOPES,
    missingScope: 'INSUFFICIENT_SCOPE',
  },
  errors: V4_ERRORS,
  parameters: PARAMETERS,
  tags: TAGS,
};

/** Declares a route of this family. */
export const Route = routesOf<Scope, QuotaName, Tag>(API_ROUTES);
