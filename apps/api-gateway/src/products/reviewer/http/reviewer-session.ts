import { createHmac, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { ServedCode } from '@launch/contracts/errors';
import type { Secret } from '@launch/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../../core/accounts/credentials/caller.js';
import { REVIEW_SCOPES } from '../../../core/routes/scopes.js';
import { CredentialService, unauthenticated } from '../../../core/accounts/credentials/credential.service.js';
import { CLOCK, type Clock } from '../../../platform/tokens.js';
import { CREDENTIAL_PEPPER } from '../../../core/accounts/accounts.tokens.js';

const COOKIE = 'reviewer_session';
/** The length of a session; after it the key is requested again. */
const SESSION_SECONDS = 4 * 3_600;
const FORM = /^([0-9a-z]{20})\.([0-9]{10})\.([0-9a-f]{64})$/;
const MISSING: ServedCode = 'API_SCOPE_REQUIRED';

/**
 * Manages the sessions of the console (ADR 0063). A browser exchanges a reviewer's key for a cookie that names the
 * key, expires, and is valid only as long as the key. Scripts cannot read the cookie, and other sites cannot have it
 * sent.
 */
@Injectable()
export class ReviewerSessions {
  constructor(
    private readonly credentials: CredentialService,
    @Inject(CREDENTIAL_PEPPER) private readonly pepper: Secret<string>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws ApiError `UNAUTHENTICATED`, `API_SCOPE_REQUIRED` */
  async begin(key: string, reply: FastifyReply): Promise<void> {
    const { credentialId } = await this.credentials.authenticate(`Bearer ${key}`, REVIEW_SCOPES, MISSING);
    const ends = String(Math.floor(this.clock.now() / 1_000) + SESSION_SECONDS);
    this.set(reply, `${credentialId}.${ends}.${this.mac(credentialId, ends)}`, SESSION_SECONDS);
  }

  end(reply: FastifyReply): void {
    this.set(reply, '', 0);
  }

  /** Returns the reviewer of a request's session; null without a valid one. */
  async find(request: FastifyRequest): Promise<Caller | null> {
    const credentialId = this.credentialOf(request);
    if (credentialId === null) return null;
    try {
      return await this.credentials.resume(credentialId, REVIEW_SCOPES, MISSING);
    } catch (error) {
      if ((error as { code?: unknown }).code === 'UNAUTHENTICATED') return null;
      throw error;
    }
  }

  /**
   * Returns the reviewer of a request that may change something. It must come from a page of this listener.
   * @throws ApiError `UNAUTHENTICATED`, `API_SCOPE_REQUIRED`
   */
  async resume(request: FastifyRequest, scopes: readonly string[], missingScope: ServedCode): Promise<Caller> {
    const credentialId = this.credentialOf(request);
    if (credentialId === null || (request.method !== 'GET' && request.method !== 'HEAD' && !isOwnPage(request)))
      throw unauthenticated();
    return this.credentials.resume(credentialId, scopes, missingScope);
  }

  private credentialOf({ headers }: FastifyRequest): string | null {
    const [, credentialId = '', ends = '', mac = ''] = FORM.exec(cookieOf(headers.cookie ?? '')) ?? [];
    if (credentialId === '' || Number(ends) * 1_000 <= this.clock.now()) return null;
    const isOurs = timingSafeEqual(Buffer.from(mac, 'hex'), Buffer.from(this.mac(credentialId, ends), 'hex'));
    return isOurs ? credentialId : null;
  }

  private mac(credentialId: string, ends: string): string {
    return createHmac('sha256', this.pepper.reveal()).update(`${COOKIE}\n${credentialId}\n${ends}`).digest('hex');
  }

  private set(reply: FastifyReply, value: string, seconds: number): void {
    reply.header('set-cookie', `${COOKIE}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; Secure; SameSite=Strict`);
  }
}

/**
 * Returns whether a page of this origin sent the request. Browsers say so in `Sec-Fetch-Site`, which no page can
 * write. Browsers without it, and browsers at plain HTTP addresses, name the origin of a change in `Origin`.
 */
export function isOwnPage({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { host, origin } = headers;
  return host !== undefined && origin !== undefined && URL.canParse(origin) && new URL(origin).host === host;
}

const cookieOf = (header: string): string =>
  header
    .split(';')
    .map((one) => one.trim())
    .find((one) => one.startsWith(`${COOKIE}=`))
    ?.slice(COOKIE.length + 1) ?? '';
