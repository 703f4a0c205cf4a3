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
    summary: 'Create the sign-in message for a wallet',
    description:
      'Returns the parts of an EIP-4361 message. The statement names the purpose of the key, and a signature is valid for that purpose only. The nonce is valid once, for five minutes.',
    answers: { 201: { description: 'The parts of the message.', schema: signInNonceSchema } },
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
    summary: 'Create a key for a wallet that signs in',
    description:
      'Returns an API key that is bound to the wallet and expires automatically. The key appears in this response only. A key for launches has both launch scopes. When the wallet signs in again, the new key replaces the previous one and continues its lineage, so launches remain accessible. A wallet has at most one active key for each purpose, and the number of new keys for each day is limited.',
    body: { schema: signInRequestSchema, maxBytes: BODY_BYTES, mediaType: 'application/json' },
    answers: { 201: { description: 'The key. It is not shown again.', schema: signInKeySchema } },
    errors: ['SIGN_IN_MESSAGE_INVALID', 'SIGN_IN_SIGNATURE_INVALID', 'SIGN_IN_NONCE_INVALID', 'SIGN_IN_REVOKED'],
  })
  async key(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const key = await this.service.signIn(request, bodyOf(request));
    reply.code(201);
    sendPrivateJson(reply, key);
  }
}
