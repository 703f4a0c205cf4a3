import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { MULTI_ROLE_BASE_PATH } from '@launch/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../../accounts/credentials/request-caller.js';
import { Access } from '../../http/access.decorator.js';
import { markPrivate, sendCacheable, sendJson } from '@launch/http';
import { FinalityService } from './finality.service.js';

@Controller(MULTI_ROLE_BASE_PATH)
export class FinalityController {
  constructor(private readonly service: FinalityService) {}

  @Get(':launchId/finality')
  @Access({ scopes: ['custom-launch:read'], quota: 'read' })
  async read(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('launchId') launchId: string,
  ): Promise<void> {
    await this.answer(request, reply, launchId, 'v2');
  }

  @Get(':launchId/finality-v3')
  @Access({ scopes: ['custom-launch:read'], quota: 'read' })
  async readV3(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('launchId') launchId: string,
  ): Promise<void> {
    await this.answer(request, reply, launchId, 'v3');
  }

  @Get(':launchId/finality/evidence')
  @Access({ scopes: ['custom-launch:read'], quota: 'read' })
  async evidence(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('launchId') launchId: string,
  ): Promise<void> {
    const { bytes, sha256 } = await this.service.evidence(callerOf(request), launchId);
    markPrivate(reply);
    sendCacheable(reply, {
      etag: sha256,
      mediaType: 'application/json; charset=utf-8',
      cacheControl: 'private, no-store',
      body: bytes,
    });
  }

  private async answer(
    request: FastifyRequest,
    reply: FastifyReply,
    launchId: string,
    generation: 'v2' | 'v3',
  ): Promise<void> {
    const status = await this.service.read(callerOf(request), launchId, generation);
    markPrivate(reply);
    sendJson(reply, status);
  }
}
