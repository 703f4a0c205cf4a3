import type { FastifyReply, FastifyRequest } from 'fastify';
import { varyBy } from '../answers/vary.js';
import type { MethodsByPath } from './methods-by-path.js';
import type { ResponseVersions } from './response-versions.js';
import type { RouteDeclaration, RouteFamily } from './route.definition.js';

type Headers = Readonly<Record<string, string>>;
type Versioned = Pick<RouteFamily, 'versions'>;

/** The scripts that may read an answer: those of every origin, or those of the deployment's site only. */
export type Audience = 'everyone' | 'site';

/** The audience of a route's answers, and the headers that permit its scripts to read them. */
export interface Sharing {
  readonly audience: Audience;
  /** Without the origin for the audience `site`, which only the process knows. */
  readonly headers: Headers;
}

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
/** Headers of answers to creates and proofs, which only the site's scripts send. */
const EXPOSED_TO_SITE = [...EXPOSED, 'Idempotency-Replayed'];
const ACCEPTED = ['Accept', 'If-None-Match'];
const ACCEPTED_FROM_SITE = [...ACCEPTED, 'Authorization', 'Content-Type', 'Idempotency-Key'];
const PREFLIGHT_SECONDS = '86400';

const namesOf = (names: readonly string[], versions: ResponseVersions | undefined): string =>
  [...names, ...(versions === undefined ? [] : [versions.header])].join(', ');

/** Returns the audience of a route, from its declaration (docs/adr/0116, docs/adr/0122); null if no script may read it. */
function audienceOf(
  { method, scopes, quota }: Pick<RouteDeclaration, 'method' | 'scopes' | 'quota'>,
  { isOfOneSite }: Pick<RouteFamily, 'isOfOneSite'>,
): Audience | null {
  if (quota === 'probe' || isOfOneSite === true) return null;
  return method === 'get' && scopes === null ? 'everyone' : 'site';
}

/** Returns how a route's answers are shared; null if a browser shows them to no script of another origin. */
export function sharingOf(
  declaration: Pick<RouteDeclaration, 'method' | 'scopes' | 'quota'>,
  family: Pick<RouteFamily, 'isOfOneSite' | 'versions'>,
): Sharing | null {
  const audience = audienceOf(declaration, family);
  if (audience === null) return null;
  const headers: Headers =
    audience === 'everyone'
      ? {
          'access-control-allow-origin': '*',
          'access-control-expose-headers': namesOf(EXPOSED, family.versions),
        }
      : { 'access-control-expose-headers': namesOf(EXPOSED_TO_SITE, family.versions) };
  return { audience, headers };
}

/** Returns the headers that permit a public read under conditions. A key is none of them. */
const publicPreflight = ({ versions }: Versioned): Headers => ({
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, HEAD',
  'access-control-allow-headers': namesOf(ACCEPTED, versions),
  'access-control-max-age': PREFLIGHT_SECONDS,
});

/** Returns the headers that permit the site to send a key and a body. */
const sitePreflight = (origin: string, methods: readonly string[], { versions }: Versioned): Headers => ({
  'access-control-allow-origin': origin,
  'access-control-allow-methods': methods.filter((method) => method !== 'OPTIONS').join(', '),
  'access-control-allow-headers': namesOf(ACCEPTED_FROM_SITE, versions),
  'access-control-max-age': PREFLIGHT_SECONDS,
});

/**
 * Shares the answers of one listener with scripts of other origins. No answer allows credentials, so no cookie goes with
 * a request; a key goes with it only if the page has the key and the page is the site's.
 */
export class CrossOrigin {
  /** @param site the origin of the site; null shares nothing but public reads */
  constructor(private readonly site: string | null) {}

  /** Sets the headers with which the script that sent the request may read the answer. */
  share(request: FastifyRequest, reply: FastifyReply): void {
    const sharing = request.exchange.route?.sharing ?? null;
    if (sharing === null) return;
    if (sharing.audience === 'everyone') reply.headers(sharing.headers);
    else if (this.site !== null && request.headers.origin === this.site)
      reply.headers(sharing.headers).header('access-control-allow-origin', this.site);
  }

  /** Sets an answer's dependency on the origin of the request. Call it after the handler, which sets `Vary` anew. */
  markVary(request: FastifyRequest, reply: FastifyReply): void {
    if (this.site !== null && request.exchange.route?.sharing?.audience === 'site') varyBy(reply, 'Origin');
  }

  /** Sets the headers of the answer to `OPTIONS` on a served path. */
  permit(request: FastifyRequest, reply: FastifyReply, methods: MethodsByPath, allowed: readonly string[]): void {
    const target = request.raw.url ?? '';
    const ofSite = this.site === null ? null : methods.sharedFamilyOf(target, 'site');
    if (ofSite !== null) varyBy(reply, 'Origin');
    if (ofSite !== null && this.site !== null && request.headers.origin === this.site) {
      reply.headers(sitePreflight(this.site, allowed, ofSite));
      return;
    }
    const shared = methods.sharedFamilyOf(target, 'everyone');
    if (shared !== null) reply.headers(publicPreflight(shared));
  }
}
