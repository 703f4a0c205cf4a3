import type { FastifyRequest } from 'fastify';
import type { RateLimitService } from '../quotas/rate-limit.service.js';
import { idempotencyKeyOf } from '../idempotency/idempotency-key.js';
import { ApiError } from '../errors/api.error.js';
import type { Authenticator } from './authenticator.js';
import { isPlainJson } from '../requests/media-type.js';
import type { ParameterForms } from './methods-by-path.js';
import { declaredLength, drain } from '../requests/request-body.js';
import { headFault } from '../requests/request-head.js';

/**
 * What every request passes before a byte of its body is read: quota, credential, query, size, media type,
 * idempotency key. Runs as Fastify's `onRequest`, after routing, so an unknown path is 404 whoever asks.
 */
export class Gate {
  private readonly forms: Readonly<Record<string, RegExp>>;

  constructor(
    private readonly authenticator: Authenticator,
    private readonly rateLimits: RateLimitService,
    forms: ParameterForms,
  ) {
    this.forms = Object.fromEntries(Object.entries(forms).map(([name, form]) => [name, new RegExp(`^${form}$`)]));
  }

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
    if (request.routeOptions.config.access?.bodyBytes !== undefined) await this.authenticator.confirm(request);
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
    const { access } = request.routeOptions.config;
    const fault = headFault(request.raw);
    if (fault !== null || request.is404 || !this.parametersHaveForm(request)) {
      await this.rateLimits.chargeAddress(request);
      // Said before anything looks at a body: with a method that names no route, also at what Fastify thinks of that method.
      throw fault ?? new ApiError('NOT_FOUND');
    }
    if (access === undefined)
      throw new TypeError(`the route ${request.routeOptions.url ?? ''} says nothing about who may ask`);
    if (access.scopes === null) {
      if (access.quota === 'probe') this.rateLimits.chargeProbe(request);
      else await this.rateLimits.chargeAddress(request, access.quota);
    } else {
      const { lineageId } = await this.authenticated(request, access.scopes);
      request.exchange.lineageId = lineageId;
      await this.rateLimits.chargeLineage(request, lineageId, access.quota);
    }
    checkQuery(request, access.query ?? null);
    if (access.bodyBytes !== undefined) checkBodyHeaders(request, access.bodyBytes);
    if (access.idempotencyKey === 'required') idempotencyKeyOf(request);
  }

  /** Failed attempts count against the address, so that keys cannot be tried at the database's expense. */
  private async authenticated(request: FastifyRequest, scopes: readonly string[]) {
    this.rateLimits.mayTryKey(request);
    try {
      return await this.authenticator.authenticate(request, scopes);
    } catch (error) {
      if (error instanceof ApiError) await this.rateLimits.chargeRefusedKey(request);
      throw error;
    }
  }

  /** A malformed id names no route, so it is 404 before anybody is asked for a key. */
  private parametersHaveForm(request: FastifyRequest): boolean {
    return Object.entries((request.params ?? {}) as Record<string, string>).every(
      ([name, value]) => this.forms[name]?.test(value) ?? true,
    );
  }
}

/** The request target's query as it was sent, without the question mark; a bare `?` has no parameters. */
export function rawQuery(request: FastifyRequest): string {
  const target = request.raw.url ?? '';
  const mark = target.indexOf('?');
  return mark < 0 ? '' : target.slice(mark + 1);
}

function checkQuery(request: FastifyRequest, known: readonly string[] | null): void {
  const query = rawQuery(request);
  if (query !== '' && known === null) throw new ApiError('QUERY_NOT_ALLOWED');
}

function checkBodyHeaders(request: FastifyRequest, maxBytes: number): void {
  const length = declaredLength(request.raw);
  if (length !== null && length > maxBytes) throw new ApiError('REQUEST_TOO_LARGE');
  if (!isPlainJson(request.headers))
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', { headers: { accept: 'application/json' } });
}
