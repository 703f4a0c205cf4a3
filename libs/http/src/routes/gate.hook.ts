import type { ErrorCode } from '@launch/contracts';
import type { FastifyRequest } from 'fastify';
import type { RateLimitService } from '../quotas/rate-limit.service.js';
import { idempotencyKeyOf } from '../idempotency/idempotency-key.js';
import { ApiError } from '../errors/api.error.js';
import type { Authenticator } from './authenticator.js';
import { isPlainJson } from '../requests/media-type.js';
import { readQuery } from '../requests/query.js';
import { matchesForm } from './path-parameters.js';
import type { RouteBody, RouteDefinition } from './route.definition.js';
import { announcesBody, declaredLength, drain } from '../requests/request-body.js';
import { headFault } from '../requests/request-head.js';

/**
 * What every request passes before a byte of its body is read: quota, credential, query, size, media type,
 * idempotency key. Runs as Fastify's `onRequest`, after routing, so an unknown path is 404 whoever asks.
 */
export class Gate {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly rateLimits: RateLimitService,
  ) {}

  async check(request: FastifyRequest): Promise<void> {
    try {
      await this.pass(request);
    } catch (error) {
      drain(request.raw);
      throw error;
    }
  }

  /** A body takes its time to arrive: a key that was ended meanwhile is no key any more. */
  async confirm(request: FastifyRequest): Promise<void> {
    if (request.routeOptions.config.route?.body !== undefined) await this.authenticator.confirm(request);
  }

  /** Counts a request that was refused before it was routed; the error to answer with. */
  async refuseUnrouted(request: FastifyRequest, error: Error): Promise<unknown> {
    drain(request.raw);
    return this.rateLimits.chargeAddress(request).then(
      () => headFault(request.raw) ?? error,
      (limited: unknown) => limited,
    );
  }

  private async pass(request: FastifyRequest): Promise<void> {
    const { route } = request.routeOptions.config;
    const fault = headFault(request.raw);
    if (fault !== null || request.is404 || !parametersHaveForm(request)) {
      await this.rateLimits.chargeAddress(request);
      // Said before anything looks at a body: with a method that names no route, also at what Fastify thinks of that method.
      throw fault ?? new ApiError('NOT_FOUND');
    }
    if (route === undefined)
      throw new TypeError(`the route ${request.routeOptions.url ?? ''} says nothing about who may ask`);
    if (route.scopes === null) {
      if (route.quota === 'probe') this.rateLimits.chargeProbe(request);
      else await this.rateLimits.chargeAddress(request, route.quota);
    } else {
      const { lineageId } = await this.authenticated(request, route.scopes, route.family.key.missingScope);
      request.exchange.lineageId = lineageId;
      await this.rateLimits.chargeLineage(request, lineageId, route.quota);
    }
    takeQuery(request, route);
    if (route.takesNoBody === true && announcesBody(request.raw)) throw new ApiError('BODY_NOT_ALLOWED');
    if (route.body !== undefined) checkBodyHeaders(request, route.body);
    if (route.idempotencyKey === 'required') idempotencyKeyOf(request);
  }

  /** Failed attempts count against the address, so that keys cannot be tried at the database's expense. */
  private async authenticated(request: FastifyRequest, scopes: readonly string[], missingScope: ErrorCode) {
    this.rateLimits.mayTryKey(request);
    try {
      return await this.authenticator.authenticate(request, scopes, missingScope);
    } catch (error) {
      if (error instanceof ApiError) await this.rateLimits.chargeRefusedKey(request);
      throw error;
    }
  }
}

/** A malformed id names no route, so it is 404 before anybody is asked for a key. */
function parametersHaveForm(request: FastifyRequest): boolean {
  const parameters = request.routeOptions.config.route?.family.parameters ?? {};
  return Object.entries((request.params ?? {}) as Record<string, string>).every(([name, value]) =>
    matchesForm(parameters[name], value),
  );
}

/** The request target's query as it was sent, without the question mark; a bare `?` has no parameters. */
function rawQuery(request: FastifyRequest): string {
  const target = request.raw.url ?? '';
  const mark = target.indexOf('?');
  return mark < 0 ? '' : target.slice(mark + 1);
}

function takeQuery(request: FastifyRequest, { query }: RouteDefinition): void {
  const raw = rawQuery(request);
  if (query !== undefined) request.exchange.query = readQuery(raw, query);
  else if (raw !== '') throw new ApiError('QUERY_NOT_ALLOWED');
}

function checkBodyHeaders(request: FastifyRequest, { maxBytes, mediaType }: RouteBody): void {
  const length = declaredLength(request.raw);
  if (length !== null && length > maxBytes) throw new ApiError('REQUEST_TOO_LARGE');
  if (!isPlainJson(request.headers)) throw new ApiError('UNSUPPORTED_MEDIA_TYPE', { headers: { accept: mediaType } });
}
