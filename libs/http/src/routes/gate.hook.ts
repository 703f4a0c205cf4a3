import type { ServedCode } from '@launch/contracts/errors';
import type { FastifyRequest } from 'fastify';
import type { RateLimitService } from '../quotas/rate-limit.service.js';
import { idempotencyKeyOf } from '../idempotency/idempotency-key.js';
import { ApiError, refusal, detailedRefusal } from '../errors/api.error.js';
import type { Authenticator } from './authenticator.js';
import { revisionOf } from '../requests/if-match.js';
import { isPlainJson } from '../requests/media-type.js';
import { readQuery } from '../requests/query.js';
import { versionFault } from './response-versions.js';
import { matchesForm } from './path-parameters.js';
import type { RouteBody, RouteDefinition } from './route.definition.js';
import { announcesBody, declaredLength, drain, tooLarge } from '../requests/request-body.js';
import { headFault } from '../requests/request-head.js';

/**
 * Checks every request before its body is read: quota, credential, query, size, media type, idempotency key. Runs as
 * Fastify's `onRequest`, after routing, so an unknown path is 404 for every caller.
 */
export class Gate {
  private readonly admissions = new Map<string, (request: FastifyRequest) => Promise<void>>();

  constructor(
    private readonly authenticator: Authenticator,
    private readonly rateLimits: RateLimitService,
  ) {}

  /**
   * Registers a check of a route's requests by their head, after all other checks of the gate and before the body.
   * @param routeId the operation's id.
   */
  beforeBody(routeId: string, judge: (request: FastifyRequest) => Promise<void>): void {
    this.admissions.set(routeId, judge);
  }

  /** Returns undefined if there is nothing to wait for: most public reads pass synchronously. */
  check(request: FastifyRequest): Promise<void> | undefined {
    try {
      return this.pass(request)?.catch((error: unknown) => refuse(request, error));
    } catch (error) {
      return refuse(request, error);
    }
  }

  /** Confirms the key after the body has arrived, because it may have ended meanwhile. */
  confirm(request: FastifyRequest): Promise<void> | undefined {
    return request.exchange.route?.body === undefined ? undefined : this.authenticator.confirm(request);
  }

  /** Counts a request that was refused before routing. Returns the error to answer with. */
  async refuseUnrouted(request: FastifyRequest, error: Error): Promise<unknown> {
    drain(request.raw);
    try {
      await this.rateLimits.chargeAddress(request);
    } catch (limited) {
      return limited;
    }
    return headFault(request.raw) ?? error;
  }

  private pass(request: FastifyRequest): Promise<void> | undefined {
    const { route } = request.exchange;
    const fault = headFault(request.raw) ?? addressFault(request, route);
    if (fault !== null) return this.refuseNamed(request, fault);
    if (route === undefined)
      throw new TypeError(`the route ${request.routeOptions.url ?? ''} says nothing about who may ask`);
    const counted = this.count(request, route);
    const judge = this.admissions.get(route.id);
    if (counted !== undefined || judge !== undefined) return this.passForm(request, route, counted, judge);
    checkForm(request, route);
    return undefined;
  }

  private async passForm(
    request: FastifyRequest,
    route: RouteDefinition,
    counted: Promise<void> | undefined,
    judge: ((request: FastifyRequest) => Promise<void>) | undefined,
  ): Promise<void> {
    await counted;
    checkForm(request, route);
    await judge?.(request);
  }

  /** Refuses before any check of the body, even before Fastify's own check of the method. */
  private async refuseNamed(request: FastifyRequest, fault: ApiError): Promise<void> {
    await this.rateLimits.chargeAddress(request);
    throw fault;
  }

  private count(request: FastifyRequest, route: RouteDefinition): Promise<void> | undefined {
    if (route.scopes !== null) return this.countOwner(request, route, route.scopes);
    if (route.quota !== 'probe') return this.rateLimits.chargeAddress(request, route.quota);
    this.rateLimits.chargeProbe(request);
    return undefined;
  }

  private async countOwner(request: FastifyRequest, route: RouteDefinition, scopes: readonly string[]): Promise<void> {
    const { lineageId } = await this.authenticated(request, scopes, route.family.key.missingScope);
    request.exchange.lineageId = lineageId;
    await this.rateLimits.chargeLineage(request, lineageId, route.quota);
  }

  /** Counts failed attempts against the address, so that the database does not pay for guessed keys. */
  private async authenticated(request: FastifyRequest, scopes: readonly string[], missingScope: ServedCode) {
    this.rateLimits.mayTryKey(request);
    try {
      return await this.authenticator.authenticate(request, scopes, missingScope);
    } catch (error) {
      if (error instanceof ApiError) await this.rateLimits.chargeRefusedKey(request);
      throw error;
    }
  }
}

/** Refuses a request whose sender may still be sending. @throws the error. */
function refuse(request: FastifyRequest, error: unknown): never {
  drain(request.raw);
  throw error;
}

/** Checks a request apart from its sender and its quota. */
function checkForm(request: FastifyRequest, route: RouteDefinition): void {
  takeQuery(request, route);
  if (route.takesNoBody === true && announcesBody(request.raw))
    throw detailedRefusal('BODY_NOT_ALLOWED', '', { expected: 'no body', actual: announced(request) });
  if (route.body !== undefined) checkBodyHeaders(request, route.body);
  if (route.idempotencyKey === 'required') idempotencyKeyOf(request);
  if (route.ifMatch === 'required') revisionOf(request);
}

/**
 * Returns the fault of a path. A malformed id matches no route, so it is 404 before the key is checked; the same holds
 * for ids that a family refuses with another code.
 */
function addressFault(request: FastifyRequest, route: RouteDefinition | undefined): ApiError | null {
  if (request.is404) return new ApiError('NOT_FOUND');
  const versions = route?.family.versions;
  const values = (request.params ?? {}) as Record<string, string>;
  for (const name in values) {
    const parameter = route?.family.parameters[name];
    const actual = values[name] as string;
    if (parameter === undefined || matchesForm(parameter, actual)) continue;
    if (parameter.refusal === undefined) return new ApiError('NOT_FOUND');
    return versionFault(request, versions) ?? refusal(parameter.refusal, '', { expected: parameter.form, actual });
  }
  return versionFault(request, versions);
}

/** Returns the query of the request target as sent, without the question mark; a bare `?` has no parameters. */
function rawQuery(request: FastifyRequest): string {
  const target = request.raw.url ?? '';
  const mark = target.indexOf('?');
  return mark < 0 ? '' : target.slice(mark + 1);
}

function takeQuery(request: FastifyRequest, { query }: RouteDefinition): void {
  const raw = rawQuery(request);
  if (query !== undefined) request.exchange.query = readQuery(raw, query);
  else if (raw !== '') {
    // Does not repeat the query: a careless client may put its key there.
    const actual = `a query of ${raw.length} characters`;
    throw detailedRefusal('QUERY_NOT_ALLOWED', '', { expected: 'no query', actual });
  }
}

function checkBodyHeaders(request: FastifyRequest, { maxBytes, mediaType }: RouteBody): void {
  const length = declaredLength(request.raw);
  if (length !== null && length > maxBytes) throw tooLarge(maxBytes, `${length} bytes`);
  if (!isPlainJson(request.headers))
    throw detailedRefusal(
      'UNSUPPORTED_MEDIA_TYPE',
      '',
      { expected: `${mediaType} without an encoding`, actual: namedType(request) },
      { headers: { accept: mediaType } },
    );
}

const announced = ({ raw }: FastifyRequest): string => {
  const length = declaredLength(raw);
  return length === null ? 'a body in chunks' : `a body of ${length} bytes`;
};

const namedType = ({ headers }: FastifyRequest): string =>
  [headers['content-type'] ?? 'no content type', headers['content-encoding']]
    .filter((one) => one !== undefined)
    .join(' in ');
