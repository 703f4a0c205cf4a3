import { Controller, Req, Res } from '@nestjs/common';
import { PLAN_PATHS } from '@launch/contracts/plans';
import { credentialSchema } from '@launch/contracts/launch';
import { sendPrivateJson } from '@launch/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CREDENTIAL_EXAMPLE } from '../../../core/accounts/credentials/credential.example.js';
import { CredentialService } from '../../../core/accounts/credentials/credential.service.js';
import { callerOf } from '../../../core/accounts/credentials/request-caller.js';
import { PlanRoute } from './plan.route.js';

@Controller()
export class CredentialController {
  constructor(private readonly credentials: CredentialService) {}

  @PlanRoute({
    method: 'get',
    path: PLAN_PATHS.credential,
    id: 'getCredential',
    tag: 'Plans',
    scopes: [],
    quota: 'read',
    summary: 'Retrieve the key of the request, without its secret',
    description:
      'Every active key can call this route, including a key that lacks the scopes or the chain grant for launches.',
    answers: { 200: { description: 'The key.', schema: credentialSchema, example: CREDENTIAL_EXAMPLE } },
  })
  async me(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const credential = await this.credentials.describe(callerOf(request).credentialId);
    sendPrivateJson(reply, credential);
  }
}
