import { Injectable } from '@nestjs/common';
import type { ServedCode } from '@launch/contracts/errors';
import type { Authenticator } from '@launch/http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Caller } from './caller.js';
import { CredentialService } from './credential.service.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller that the gate admitted; null on public routes. */
    caller: Caller | null;
  }
}

/** Adds the member `caller` to every request. */
export const decorateCaller = (fastify: FastifyInstance): void => void fastify.decorateRequest('caller', null);

/** Returns the caller of a protected route; the gate has refused all other requests. */
export function callerOf({ caller }: FastifyRequest): Caller {
  if (caller === null) throw new TypeError('the route is not protected');
  return caller;
}

/** Finds the caller of a request by the key it carries. */
@Injectable()
export class RequestAuthenticator implements Authenticator {
  constructor(private readonly credentials: CredentialService) {}

  async authenticate(request: FastifyRequest, scopes: readonly string[], missingScope: ServedCode): Promise<Caller> {
    request.caller = await this.credentials.authenticate(request.headers.authorization, scopes, missingScope);
    return request.caller;
  }

  async confirm({ caller }: FastifyRequest): Promise<void> {
    if (caller !== null) await this.credentials.confirm(caller);
  }
}
