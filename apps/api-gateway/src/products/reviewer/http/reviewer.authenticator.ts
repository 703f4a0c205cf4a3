import { Injectable } from '@nestjs/common';
import type { ServedCode } from '@launch/contracts/errors';
import type { Authenticator } from '@launch/http';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../../core/accounts/credentials/caller.js';
import { RequestAuthenticator } from '../../../core/accounts/credentials/request-caller.js';
import { ReviewerSessions } from './reviewer-session.js';

/** Finds the reviewer by a request's key, or by its session of the console. */
@Injectable()
export class ReviewerAuthenticator implements Authenticator {
  constructor(
    private readonly keys: RequestAuthenticator,
    private readonly sessions: ReviewerSessions,
  ) {}

  async authenticate(request: FastifyRequest, scopes: readonly string[], missingScope: ServedCode): Promise<Caller> {
    if (request.headers.authorization !== undefined || request.headers.cookie === undefined)
      return this.keys.authenticate(request, scopes, missingScope);
    request.caller = await this.sessions.resume(request, scopes, missingScope);
    return request.caller;
  }

  confirm(request: FastifyRequest): Promise<void> {
    return this.keys.confirm(request);
  }
}
