import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { MULTI_ROLE_BASE_PATH } from '@launch/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { rawQuery, sendCacheable, sendJsonBytes } from '@launch/http';
import { Access } from '../../http/access.decorator.js';
import { FinalizedService } from './finalized.service.js';

/** The routes of one feed; `/finalized` and `/finalized-v3` differ in nothing but their records. */
abstract class FeedController {
  protected abstract readonly generation: 'v2' | 'v3';
  protected abstract readonly service: FinalizedService;

  @Get()
  @Access({ scopes: null, quota: 'public', query: ['limit', 'cursor'] })
  async list(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const page = await this.service.list(this.generation, rawQuery(request));
    reply.header('cache-control', 'public, max-age=5').header('vary', 'Accept');
    sendJsonBytes(reply, page);
  }

  @Get(':onchainLaunchId')
  @Access({ scopes: null, quota: 'public' })
  async read(@Res() reply: FastifyReply, @Param('onchainLaunchId') id: string): Promise<void> {
    const { bytes, sha256 } = await this.service.read(this.generation, id);
    reply.header('vary', 'Accept');
    sendCacheable(reply, {
      etag: sha256,
      mediaType: 'application/json; charset=utf-8',
      cacheControl: 'public, max-age=60',
      body: bytes,
    });
  }

  @Get(':onchainLaunchId/image/:sha256hex')
  @Access({ scopes: null, quota: 'public' })
  async image(
    @Res() reply: FastifyReply,
    @Param('onchainLaunchId') id: string,
    @Param('sha256hex') hex: string,
  ): Promise<void> {
    const { bytes, mediaType, sha256 } = await this.service.image(this.generation, id, hex);
    reply
      .header('x-content-type-options', 'nosniff')
      .header('content-security-policy', 'sandbox')
      .header('cross-origin-resource-policy', 'cross-origin');
    sendCacheable(reply, { etag: sha256, mediaType, cacheControl: 'public, max-age=31536000, immutable', body: bytes });
  }
}

@Controller(`${MULTI_ROLE_BASE_PATH}/finalized`)
export class FinalizedController extends FeedController {
  protected readonly generation = 'v2';

  constructor(protected readonly service: FinalizedService) {
    super();
  }
}

@Controller(`${MULTI_ROLE_BASE_PATH}/finalized-v3`)
export class FinalizedV3Controller extends FeedController {
  protected readonly generation = 'v3';

  constructor(protected readonly service: FinalizedService) {
    super();
  }
}
