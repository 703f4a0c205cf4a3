import { Controller, Req, Res } from '@nestjs/common';
import { bodyOf, queryOf, sendPrivateJson } from '@launch/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Route } from '../../routes/api.route.js';
import {
  signInKeySchema,
  signInNonceQuerySchema,
  signInNonceSchema,
  signInRequestSchema,
  type SignInNonceQuery,
} from './sign-in.schema.js';
import { SignInService } from './sign-in.service.js';

const SIGN_IN_PATH = '/v4/auth/siwe';
/** Room for the message, the signature and their JSON. */
const BODY_BYTES = 8 * 1024;

@Controller()
export class SignInController {
  constructor(private readonly service: SignInService) {}

  @Route({
    method: 'post',
    path: `${SIGN_IN_PATH}/nonce`,
    id: 'inviteSignIn',
    tag: 'Keys',
    scopes: null,
    quota: 'sign-in',
    query: signInNonceQuerySchema,
    summary: 'What a wallet has to sign',
    description:
      'The parts of an EIP-4361 message. The statement names the purpose of the key; a signature is good for that purpose alone. The nonce is good once, for five minutes.',
    answers: { 201: { description: 'The parts.', schema: signInNonceSchema } },
    errors: ['REQUEST_TOO_LARGE'],
  })
  async nonce(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const invitation = await this.service.invite(queryOf<SignInNonceQuery>(request).purpose);
    reply.code(201);
    sendPrivateJson(reply, invitation);
  }

  @Route({
    method: 'post',
    path: `${SIGN_IN_PATH}/keys`,
    id: 'issueKeyBySignIn',
    tag: 'Keys',
    scopes: null,
    quota: 'sign-in',
    summary: 'A key for a wallet that signed',
    description:
      'The key is told in this answer only, is bound to the wallet, has both launch scopes and ends by itself. Signing in again ends the key before and continues its lineage: launches stay accessible. A wallet has at most one living key for each purpose, and gets a few keys a day.',
    body: { schema: signInRequestSchema, maxBytes: BODY_BYTES, mediaType: 'application/json' },
    answers: { 201: { description: 'The key, once.', schema: signInKeySchema } },
    errors: ['SIGN_IN_MESSAGE_INVALID', 'SIGN_IN_SIGNATURE_INVALID', 'SIGN_IN_NONCE_INVALID', 'SIGN_IN_REVOKED'],
  })
  async key(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const key = await this.service.signIn(request, bodyOf(request));
    reply.code(201);
    sendPrivateJson(reply, key);
  }
}
