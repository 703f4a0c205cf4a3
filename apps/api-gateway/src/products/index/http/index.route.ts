import { indexErrorBodySchema } from '@launch/contracts/index';
import { findingSchema } from '@launch/contracts/validation';
import { errorsOf, routesOf, type PathParameters, type RouteFamily } from '@launch/http';
import type { Scope } from '../../../core/routes/scopes.js';
import type { QuotaName } from '../../../platform/rate-limits/gateway-quotas.js';
import { API_ROUTES } from '../../../core/routes/api.route.js';

const PARAMETERS = {
  chainId: { form: '(?:1|4663)', description: 'The chain id, 1 or 4663.' },
  tokenAddress: {
    description: 'The token address, in lowercase or with its EIP-55 checksum.',
    schema: { type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' },
  },
  abiFile: {
    form: '[0-9a-f]{64}\\.json',
    description: 'SHA-256 of the file in hexadecimal without a prefix, followed by `.json`.',
  },
  verificationSha256: {
    form: '[0-9a-f]{64}',
    description: 'The `verificationDigest` of a record, in hexadecimal without a prefix.',
  },
} as const satisfies PathParameters;

const TAGS = {
  Coins:
    'Coins of every source, found on chain and verified: discovery for indexers, and the lists of the site. No key is required.',
} as const;

type Tag = keyof typeof TAGS;

/** The public index reads: no key, counted by address (docs/reference/index-reads.md#conventions). */
const COIN_ROUTES: RouteFamily<Scope, Tag> = {
  ...API_ROUTES,
  errors: errorsOf({ plain: indexErrorBodySchema, finding: findingSchema, problem: 'IndexProblemDetails' }),
  parameters: PARAMETERS,
  tags: TAGS,
};

const declare = routesOf<Scope, QuotaName, Tag>(COIN_ROUTES);
type Declaration = Parameters<typeof declare>[0];

/** Declares an index read with the common part of all of them. */
export const IndexRead = (declaration: Omit<Declaration, 'method' | 'tag' | 'scopes' | 'quota' | 'entityTag'>) =>
  declare({
    ...declaration,
    method: 'get',
    tag: 'Coins',
    scopes: null,
    quota: 'public',
    entityTag: 'SHA-256 digest of the response body.',
  } as Declaration);
