import type { ServedCode } from '@launch/contracts/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { varyBy } from '../answers/vary.js';
import { refusal, type ApiError } from '../errors/api.error.js';

/** Versions of the answers of a family's routes; a request selects one with a header. */
export interface ResponseVersions {
  /** The header of requests and answers. */
  readonly header: string;
  readonly supported: readonly string[];
  /** The version of answers to requests without the header, and of the refusal of an unknown version. */
  readonly byDefault: string;
  /** The code that refuses an unknown version. */
  readonly unknown: ServedCode;
}

/** Returns the version that a request selects, or null if it names none or several. */
function selected({ headers }: FastifyRequest, { header, supported, byDefault }: ResponseVersions): string | null {
  const named = headers[header.toLowerCase()];
  if (named === undefined) return byDefault;
  return supported.find((version) => version === named) ?? null;
}

/** Returns the version of a request's answer. @throws TypeError for a route whose answers have none. */
export function responseVersionOf<Version extends string>(request: FastifyRequest): Version {
  const versions = request.exchange.route?.family.versions;
  const version = versions === undefined ? null : selected(request, versions);
  if (version === null) throw new TypeError('the route has no versions, or lets an unknown one pass');
  return version as Version;
}

/** Returns the error of a request whose header names no version, or null. */
export function versionFault(request: FastifyRequest, versions: ResponseVersions | undefined): ApiError | null {
  if (versions === undefined || selected(request, versions) !== null) return null;
  return refusal(versions.unknown, '', {
    expected: versions.supported.join(', '),
    actual: String(request.headers[versions.header.toLowerCase()]),
    detail: `Send ${versions.header} once with one of these, or leave it out for ${versions.byDefault}.`,
  });
}

/** Sets an answer's version header, and its dependency on the request's header. */
export function markVersion(
  request: FastifyRequest,
  reply: FastifyReply,
  versions: ResponseVersions | undefined,
): void {
  if (versions === undefined) return;
  const { header, byDefault } = versions;
  reply.header(header, selected(request, versions) ?? byDefault);
  varyBy(reply, header);
}
