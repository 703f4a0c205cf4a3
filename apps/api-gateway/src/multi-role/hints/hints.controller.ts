import { Controller, Param, Post, Req, Res } from '@nestjs/common';
import { LIMITS, MULTI_ROLE_BASE_PATH } from '@launch/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { bodyOf, markPrivate, sendJson } from '@launch/http';
import { callerOf } from '../../accounts/credentials/request-caller.js';
import { Access } from '../../http/access.decorator.js';
import { HintService } from './hint.service.js';

@Controller(MULTI_ROLE_BASE_PATH)
export class HintsController {
  constructor(private readonly service: HintService) {}

  @Post(':launchId/transaction-hints')
  @Access({ scopes: ['custom-launch:create', 'custom-launch:read'], quota: 'hint', bodyBytes: LIMITS.hintBytes })
  async register(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('launchId') launchId: string,
  ): Promise<void> {
    await this.answer(request, reply, launchId, 'v2');
  }

  @Post(':launchId/transaction-hints-v3')
  @Access({ scopes: ['custom-launch:create', 'custom-launch:read'], quota: 'hint', bodyBytes: LIMITS.hintBytes })
  async registerV3(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('launchId') launchId: string,
  ): Promise<void> {
    await this.answer(request, reply, launchId, 'v3');
  }

  private async answer(
    request: FastifyRequest,
    reply: FastifyReply,
    launchId: string,
    generation: 'v2' | 'v3',
  ): Promise<void> {
    const receipt = await this.service.register(callerOf(request), launchId, bodyOf(request), generation);
    reply.code(202).header('location', receipt.statusUrl);
    markPrivate(reply);
    sendJson(reply, receipt);
  }
}
