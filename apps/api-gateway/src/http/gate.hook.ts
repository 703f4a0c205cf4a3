import { Injectable } from '@nestjs/common';
import { LIMITS } from '@launch/contracts';
import type { FastifyRequest } from 'fastify';
import { CredentialService } from '../accounts/credentials/credential.service.js';
import { RateLimitService } from '../rate-limits/rate-limit.service.js';
import { ApiError, refusal } from './api.error.js';
import { exchangeOf } from './exchange.js';
import { isPlainJson } from './media-type.js';
import { PARAMETER_FORMS } from './methods-by-path.js';
import { declaredLength, drain } from './request-body.js';
import { headFault } from './request-head.js';

const FORMS = Object.fromEntries(
  Object.entries(PARAMETER_FORMS).map(([name, form]) => [name, new RegExp(`^${form}$`)]),
);

/**
 * What every request passes before a byte of its body is read: quota, credential, query, size, media type,
 * idempotency key. Runs as Fastify's `onRequest`, after routing, so an unknown path is 404 whoever asks.
 */
@Injectable()
export class Gate {
  constructor(
    private readonly credentials: CredentialService,
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
    const { caller } = exchangeOf(request);
    if (caller !== null && request.routeOptions.config.access?.bodyBytes !== undefined)
      await this.credentials.confirm(caller);
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
    if (fault !== null || request.is404 || !parametersHaveForm(request)) {
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
      const caller = await this.authenticated(request, access.scopes);
      exchangeOf(request).caller = caller;
      await this.rateLimits.chargeLineage(request, caller.lineageId, access.quota);
    }
    checkQuery(request, access.query ?? null);
    if (access.bodyBytes !== undefined) checkBodyHeaders(request, access.bodyBytes);
    if (access.idempotencyKey === 'required') idempotencyKeyOf(request);
  }

  /** Failed attempts count against the address, so that keys cannot be tried at the database's expense. */
  private async authenticated(request: FastifyRequest, scopes: Parameters<CredentialService['authenticate']>[1]) {
    this.rateLimits.mayTryKey(request);
    try {
      return await this.credentials.authenticate(request.headers.authorization, scopes);
    } catch (error) {
      if (error instanceof ApiError) await this.rateLimits.chargeRefusedKey(request);
      throw error;
    }
  }
}

/** A malformed id names no route, so it is 404 before anybody is asked for a key. */
function parametersHaveForm(request: FastifyRequest): boolean {
  return Object.entries((request.params ?? {}) as Record<string, string>).every(
    ([name, value]) => FORMS[name]?.test(value) ?? true,
  );
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

/** @throws ApiError `IDEMPOTENCY_KEY_REQUIRED` or `IDEMPOTENCY_KEY_INVALID` (spec 2, Limits). */
export function idempotencyKeyOf(request: FastifyRequest): string {
  const header = request.headers['idempotency-key'];
  if (header === undefined || header === '') throw new ApiError('IDEMPOTENCY_KEY_REQUIRED');
  if (Array.isArray(header) || !LIMITS.idempotencyKeyPattern.test(header)) {
    throw refusal('IDEMPOTENCY_KEY_INVALID', '', { expected: '16-128 characters of A-Z a-z 0-9 . _ : -' });
  }
  return header;
}
