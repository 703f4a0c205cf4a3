import { Controller, Inject, Res, type Type } from '@nestjs/common';
import { MULTI_ROLE_BASE_PATH } from '@launch/contracts';
import { ApiError, sendCacheable } from '@launch/http';
import type { FastifyReply } from 'fastify';
import { PUBLISHED_FILES } from '../../tokens.js';
import { Route } from '../../v4-routes.js';
import { PUBLISHABLE_FILES, type PublishableFile, type PublishedFiles } from './published-files.js';

/**
 * Guide, client, capabilities must come from one deployment revision (spec 2, Versioning): caches ask every time.
 * Nothing on the way may re-encode what is checked by its digest.
 */
const CACHE_CONTROL = 'public, no-cache, no-transform';

/** The route of one file. */
function downloadController({ name, entry, mediaType, summary }: PublishableFile): Type {
  @Controller()
  class DownloadController {
    constructor(@Inject(PUBLISHED_FILES) readonly files: PublishedFiles) {}

    /** The original bytes; a file this deployment does not have is 404. */
    @Route({
      method: 'get',
      path: `${MULTI_ROLE_BASE_PATH}/${name}`,
      id: `download${entry.charAt(0).toUpperCase()}${entry.slice(1)}`,
      tag: 'Downloads',
      scopes: null,
      quota: 'download',
      summary,
      description: `The original bytes; the digest stands in capabilities as \`documentation.${entry}.contentSha256\`. 404 when this deployment does not publish it.`,
      entityTag: '`sha256:` and the digest of the bytes.',
      answers: { 200: { description: summary, mediaTypes: [mediaType] } },
      errors: ['NOT_FOUND'],
    })
    download(@Res() reply: FastifyReply): void {
      const file = this.files.get(name);
      if (file === undefined) throw new ApiError('NOT_FOUND');
      sendCacheable(reply, {
        etag: file.contentSha256,
        mediaType: file.mediaType,
        cacheControl: CACHE_CONTROL,
        body: file.bytes,
      });
    }
  }
  return DownloadController;
}

export const DOWNLOAD_CONTROLLERS = PUBLISHABLE_FILES.map(downloadController);
