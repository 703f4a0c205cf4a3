import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { MULTI_ROLE_BASE_PATH } from '@launch/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { rawQuery } from '../http/gate.hook.js';
import { Access } from '../http/route-access.decorator.js';
import { sendCacheable, sendJson } from '../http/send-json.js';
import { FinalizedService } from './finalized.service.js';

@Controller(`${MULTI_ROLE_BASE_PATH}/finalized`)
export class FinalizedController {
  constructor(private readonly service: FinalizedService) {}

  @Get()
  @Access({ scopes: null, quota: 'public', query: ['limit', 'cursor'] })
  async list(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const page = await this.service.list(rawQuery(request));
    reply.header('cache-control', 'public, max-age=5').header('vary', 'Accept');
    sendJson(reply, page);
  }

  @Get(':onchainLaunchId')
  @Access({ scopes: null, quota: 'public' })
  async read(@Res() reply: FastifyReply, @Param('onchainLaunchId') id: string): Promise<void> {
    const { bytes, sha256 } = await this.service.read(id);
    reply.header('vary', 'Accept');
    sendCacheable(reply, { etag: sha256, mediaType: 'application/json; charset=utf-8', cacheControl: 'public, max-age=60', body: bytes });
  }

  @Get(':onchainLaunchId/image/:sha256hex')
  @Access({ scopes: null, quota: 'public' })
  async image(@Res() reply: FastifyReply, @Param('onchainLaunchId') id: string, @Param('sha256hex') hex: string): Promise<void> {
    const { bytes, mediaType, sha256 } = await this.service.image(id, hex);
    reply
      .header('content-security-policy', 'sandbox')
      .header('cross-origin-resource-policy', 'cross-origin');
    sendCacheable(reply, { etag: sha256, mediaType, cacheControl: 'public, max-age=31536000, immutable', body: bytes });
  }
}
