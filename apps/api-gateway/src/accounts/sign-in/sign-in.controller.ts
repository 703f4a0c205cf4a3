import { Controller, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { bodyOf, markPrivate, sendJson } from '@launch/http';
import { Access } from '../../http/access.decorator.js';
import { SIGN_IN_PATH } from './sign-in.routes.js';
import { SignInService } from './sign-in.service.js';

/** Message, signature and JSON around them. */
const BODY_BYTES = 8 * 1024;

@Controller(SIGN_IN_PATH)
export class SignInController {
  constructor(private readonly service: SignInService) {}

  @Post('nonce')
  @Access({ scopes: null, quota: 'sign-in' })
  async nonce(@Res() reply: FastifyReply): Promise<void> {
    const invitation = await this.service.invite();
    reply.code(201);
    markPrivate(reply);
    sendJson(reply, invitation);
  }

  @Post('keys')
  @Access({ scopes: null, quota: 'sign-in', bodyBytes: BODY_BYTES })
  async key(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const key = await this.service.signIn(bodyOf(request));
    reply.code(201);
    markPrivate(reply);
    sendJson(reply, key);
  }
}
