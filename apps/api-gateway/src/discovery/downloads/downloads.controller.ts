import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { MULTI_ROLE_BASE_PATH } from '@launch/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, sendCacheable } from '@launch/http';
import { Access } from '../../http/access.decorator.js';
import { PUBLISHED_FILES } from '../../tokens.js';
import { PUBLISHABLE_FILES, type PublishedFiles } from './published-files.js';

/**
 * Guide, client, capabilities must come from one deployment revision (spec 2, Versioning): caches ask every time, and
 * nothing on the way may re-encode what is checked by its digest.
 */
const CACHE_CONTROL = 'public, no-cache, no-transform';

@Controller(MULTI_ROLE_BASE_PATH)
export class DownloadsController {
  constructor(@Inject(PUBLISHED_FILES) private readonly files: PublishedFiles) {}

  /** The original bytes; a file this deployment does not have is 404. */
  @Get(PUBLISHABLE_FILES.map(({ name }) => name))
  @Access({ scopes: null, quota: 'download' })
  download(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const file = this.files.get(request.routeOptions.url?.split('/').at(-1) ?? '');
    if (file === undefined) throw new ApiError('NOT_FOUND');
    sendCacheable(reply, {
      etag: file.contentSha256,
      mediaType: file.mediaType,
      cacheControl: CACHE_CONTROL,
      body: file.bytes,
    });
  }
}
