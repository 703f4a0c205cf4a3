import type { ResponseVersions } from './response-versions.js';
import type { RouteDeclaration, RouteFamily } from './route.definition.js';

type Headers = Readonly<Record<string, string>>;
type Versioned = Pick<RouteFamily, 'versions'>;

/** Headers of answers that browsers show to scripts of other origins only if the answer names them. */
const EXPOSED = [
  'Content-Digest',
  'ETag',
  'Link',
  'Location',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Signature',
  'Signature-Input',
  'X-Request-Id',
];

/**
 * Returns whether scripts of every origin may read a route's answers: those of public reads. A browser shares no other
 * answer, so that no foreign page can use a key or a session (docs/adr/0116).
 */
export const isSharedRead = (
  { method, scopes, quota }: Pick<RouteDeclaration, 'method' | 'scopes' | 'quota'>,
  { isOfOneSite }: Pick<RouteFamily, 'isOfOneSite'>,
): boolean => method === 'get' && scopes === null && quota !== 'probe' && isOfOneSite !== true;

const namesOf = (names: readonly string[], versions: ResponseVersions | undefined): string =>
  [...names, ...(versions === undefined ? [] : [versions.header])].join(', ');

/** Returns the headers with which an answer is shared. Without credentials: no cookie and no key goes with the request. */
export const sharingHeaders = ({ versions }: Versioned): Headers => ({
  'access-control-allow-origin': '*',
  'access-control-expose-headers': namesOf(EXPOSED, versions),
});

/** Returns the headers that permit a shared read under conditions. A key is none of them. */
export const preflightHeaders = ({ versions }: Versioned): Headers => ({
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, HEAD',
  'access-control-allow-headers': namesOf(['Accept', 'If-None-Match'], versions),
  'access-control-max-age': '86400',
});
