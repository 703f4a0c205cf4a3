import { Controller, Inject, Param, Res } from '@nestjs/common';
import { canonicalizeJson } from '@launch/contracts/json';
import { sha256Digest } from '@launch/contracts/primitives';
import {
  DOCUMENTATION_INDEX_PATH,
  DOCUMENTATION_PATH,
  documentationIndexSchema,
  type DocumentationIndex,
  type DocumentDescriptor,
} from '@launch/contracts/reports';
import { sendCacheable } from '@launch/http';
import type { FastifyReply } from 'fastify';
import { PUBLISHED_FILES, type PublishedFiles } from '../../../core/downloads/published-files.js';
import { Route } from '../../../core/routes/api.route.js';
import { documentationIndex } from '../domain/documentation-index.js';
import { DOWNLOAD_CACHE_CONTROL, sendPublishedFile } from './downloads.controller.js';

const exampleOf = (folder: string, name: string, title: string): DocumentDescriptor => ({
  title,
  summary: title,
  path: `${DOCUMENTATION_PATH}/${folder}/${name}.md`,
  mediaType: 'text/markdown; charset=utf-8',
  byteLength: 5_456,
  contentSha256: `sha256:${'4'.repeat(64)}`,
});
const INDEX_EXAMPLE: DocumentationIndex = {
  schemaVersion: 'service.documentation-index.v1',
  guides: [exampleOf('guides', 'custom-launch', 'Custom launches and plans: the guide')],
  reference: [exampleOf('reference', 'finality', 'Finality')],
};

/** The common part of these routes. */
const DESCRIPTION = {
  method: 'get',
  tag: 'Downloads',
  scopes: null,
  quota: 'download',
  entityTag: '`sha256:` followed by the digest of the response body.',
} as const;
const DOCUMENT = {
  ...DESCRIPTION,
  description: `Returns the Markdown file byte for byte. \`${DOCUMENTATION_INDEX_PATH}\` lists every document with its digest. Relative links between the documents resolve. Returns 404 if the deployment does not publish the document.`,
  answers: { 200: { description: 'The document.', mediaTypes: ['text/markdown'] } },
  errors: ['NOT_FOUND'],
} as const;

@Controller()
export class DocumentsController {
  private written: Uint8Array | undefined;

  constructor(@Inject(PUBLISHED_FILES) private readonly files: PublishedFiles) {}

  @Route({
    ...DESCRIPTION,
    path: DOCUMENTATION_INDEX_PATH,
    id: 'getDocumentationIndex',
    summary: 'List the guides and the reference pages, with their digests',
    answers: {
      200: {
        description: 'The documents that this deployment publishes.',
        schema: documentationIndexSchema,
        example: INDEX_EXAMPLE,
      },
    },
  })
  index(@Res() reply: FastifyReply): void {
    const body = (this.written ??= canonicalizeJson(documentationIndex(this.files)));
    sendCacheable(reply, { etag: sha256Digest(body), cacheControl: DOWNLOAD_CACHE_CONTROL, body });
  }

  @Route({
    ...DOCUMENT,
    path: `${DOCUMENTATION_PATH}/guides/{document}`,
    id: 'getGuide',
    summary: 'Retrieve a guide',
  })
  guide(@Res() reply: FastifyReply, @Param('document') name: string): void {
    sendPublishedFile(reply, this.files, `guides/${name}`);
  }

  @Route({
    ...DOCUMENT,
    path: `${DOCUMENTATION_PATH}/reference/{document}`,
    id: 'getReferencePage',
    summary: 'Retrieve a page of the reference',
  })
  reference(@Res() reply: FastifyReply, @Param('document') name: string): void {
    sendPublishedFile(reply, this.files, `reference/${name}`);
  }
}
