import { createHash, createPublicKey, sign, type KeyObject } from 'node:crypto';

/**
 * The holders of a token for Temporal, and what each may do: `<namespace>:<role>` as the server's default authorizer
 * reads them (docs/adr/0131). `write` works in a namespace, `read` sees it. The operator's token may do everything.
 */
export const TEMPORAL_PERMISSIONS = {
  'admission-worker': ['launches:write'],
  'finality-worker': ['launches:write'],
  indexer: ['launches:write'],
  // Reviews run in the namespace of modules, and readiness counts custody's workers.
  'api-gateway': ['launches:write', 'modules:write', 'custody:read'],
  'permit-custody': ['custody:write'],
  'module-review': ['modules:write'],
  'module-builder': ['modules:write'],
  'review-console': ['modules:write'],
  'promote-workers': ['launches:write', 'modules:write'],
  // KEDA reads the backlogs of the workers that it scales.
  autoscaler: ['launches:read', 'modules:read'],
  operator: ['temporal-system:admin'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type TokenHolder = keyof typeof TEMPORAL_PERMISSIONS;
export const TOKEN_HOLDERS = Object.keys(TEMPORAL_PERMISSIONS) as TokenHolder[];

const VALID_SECONDS = 366 * 86_400;

const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

interface PublicJwk {
  readonly kty: string;
  readonly crv: string;
  readonly x: string;
  readonly y: string;
}

function publicJwk(key: KeyObject): PublicJwk & { readonly kid: string } {
  const { kty, crv, x, y } = createPublicKey(key).export({ format: 'jwk' }) as unknown as PublicJwk;
  // The thumbprint of RFC 7638: the members in this order.
  const kid = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
  return { kid, kty, crv, x, y };
}

/** Returns the JSON Web Key Set by which the server verifies the tokens of a P-256 key. */
export const tokenKeySet = (key: KeyObject): string =>
  `${JSON.stringify({ keys: [{ ...publicJwk(key), use: 'sig', alg: 'ES256' }] })}\n`;

/** Returns a holder's token, a JSON Web Token by ES256 that is valid for 366 days. */
export function issueToken(key: KeyObject, holder: TokenHolder, now: Date): string {
  const issuedAt = Math.floor(now.getTime() / 1_000);
  const head = base64url({ alg: 'ES256', typ: 'JWT', kid: publicJwk(key).kid });
  const body = base64url({
    sub: holder,
    permissions: TEMPORAL_PERMISSIONS[holder],
    iat: issuedAt,
    exp: issuedAt + VALID_SECONDS,
  });
  const signature = sign('sha256', Buffer.from(`${head}.${body}`), { key, dsaEncoding: 'ieee-p1363' });
  return `${head}.${body}.${signature.toString('base64url')}`;
}
