import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { LIMITS, MULTI_ROLE_BASE_PATH } from '@launch/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { bodyOf, markPrivate, sendJson } from '@launch/http';
import { callerOf } from '../../accounts/credentials/request-caller.js';
import { Access } from '../../http/access.decorator.js';
import { PreflightService } from './preflight.service.js';

@Controller(MULTI_ROLE_BASE_PATH)
export class PreflightController {
  constructor(private readonly service: PreflightService) {}

  @Post('preflight')
  @HttpCode(200)
  @Access({ scopes: ['custom-launch:create'], quota: 'preflight', bodyBytes: LIMITS.requestBytes })
  async preflight(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const gone = new AbortController();
    const onClose = (): void => {
      if (!reply.raw.writableEnded) gone.abort();
    };
    if (reply.raw.closed) onClose();
    else reply.raw.once('close', onClose);
    const result = await this.service.evaluate(callerOf(request), bodyOf(request), gone.signal);
    reply.code(200);
    markPrivate(reply);
    sendJson(reply, result);
  }
}
