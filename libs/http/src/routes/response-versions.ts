import type { ServedCode } from '@launch/contracts/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { refusal, type ApiError } from '../errors/api.error.js';

/** Versions of the answers of a family's routes, of which a request names one in a header. */
export interface ResponseVersions {
  /** The header of requests and answers. */
  readonly header: string;
  readonly supported: readonly string[];
  /** The version that a request without the header is answered in; a request for an unknown one is refused in it. */
  readonly byDefault: string;
  /** What such a request is refused with. */
  readonly unknown: ServedCode;
}

/** The version that a request selects; null for one that names none of them, or several. */
function selected({ headers }: FastifyRequest, { header, supported, byDefault }: ResponseVersions): string | null {
  const named = headers[header.toLowerCase()];
  if (named === undefined) return byDefault;
  return supported.find((version) => version === named) ?? null;
}

/** The version that a request is answered in. @throws TypeError for a route whose answers have none. */
export function responseVersionOf<Version extends string>(request: FastifyRequest): Version {
  const versions = request.exchange.route?.family.versions;
  const version = versions === undefined ? null : selected(request, versions);
  if (version === null) throw new TypeError('the route has no versions, or lets an unknown one pass');
  return version as Version;
}

/** What a request is refused with whose header names no version; null for any other. */
export function versionFault(request: FastifyRequest, versions: ResponseVersions | undefined): ApiError | null {
  if (versions === undefined || selected(request, versions) !== null) return null;
  return refusal(versions.unknown, '', {
    expected: versions.supported.join(', '),
    actual: String(request.headers[versions.header.toLowerCase()]),
    detail: `Send ${versions.header} once with one of these, or leave it out for ${versions.byDefault}.`,
  });
}

/** Says on an answer which version it has, and that it depends on the header. */
export function tellVersion(
  request: FastifyRequest,
  reply: FastifyReply,
  versions: ResponseVersions | undefined,
): void {
  if (versions === undefined) return;
  const { header, byDefault } = versions;
  const vary = reply.getHeader('vary');
  reply
    .header(header, selected(request, versions) ?? byDefault)
    .header('vary', vary === undefined ? header : `${String(vary)}, ${header}`);
}
