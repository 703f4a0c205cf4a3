import { Controller, Inject, Param, Res } from '@nestjs/common';
import { CUSTOM_LAUNCH_FEED_PATH } from '@launch/contracts/custom-launch';
import { servedEntry } from '@launch/contracts/errors';
import { sha256Digest } from '@launch/contracts/primitives';
import { MULTI_ROLE_BASE_PATH } from '@launch/contracts/multi-role';
import {
  DOCUMENTATION_INDEX_PATH,
  INDEX_READER_PATH,
  LAUNCH_CLI_PATH,
  type DocumentDescriptor,
} from '@launch/contracts/reports';
import { ApiError, sendCacheable } from '@launch/http';
import type { FastifyReply } from 'fastify';
import { PUBLISHED_FILES, type PublishedFiles } from '../../../core/downloads/published-files.js';
import { Route } from '../../../core/routes/api.route.js';
import { documentationIndex } from '../domain/documentation-index.js';
import { docsAsset } from './docs.assets.js';
import { docsPage, errorsPage, type RelatedPages } from './docs.page.js';
import { OpenApiDocument } from '../../../platform/openapi/openapi.document.js';

/** Forbids inline content, content from other origins, and every script. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const CACHE_CONTROL = 'public, max-age=60';
const HTML = 'text/html; charset=utf-8';

/** The common part of these routes. */
const DESCRIPTION = {
  method: 'get',
  tag: 'Operations',
  scopes: null,
  quota: 'public',
  entityTag: 'SHA-256 digest of the response body.',
} as const;

@Controller()
export class OpenApiController {
  private made: { readonly docs: Buffer; readonly errors: Buffer } | undefined;

  constructor(
    private readonly openapi: OpenApiDocument,
    @Inject(PUBLISHED_FILES) private readonly files: PublishedFiles,
  ) {}

  /** Generates the document and the pages before the first request, which takes up to half a second of a busy processor. */
  make(): void {
    void this.pages;
  }

  private get pages() {
    return (this.made ??= pagesOf(this.openapi, this.files));
  }

  @Route({
    ...DESCRIPTION,
    path: '/openapi.json',
    id: 'getOpenApi',
    summary: 'The OpenAPI document.',
    answers: { 200: { description: 'The OpenAPI document.' } },
  })
  document(@Res() reply: FastifyReply): void {
    sendCacheable(reply, {
      etag: this.openapi.contentSha256,
      cacheControl: CACHE_CONTROL,
      body: this.openapi.bytes,
    });
  }

  /** Serves clients that have only the address. */
  @Route({
    ...DESCRIPTION,
    path: '/',
    id: 'getFrontPage',
    summary: 'The API reference as a page.',
    answers: { 200: { description: 'The API reference as a page.', mediaTypes: ['text/html'] } },
  })
  front(@Res() reply: FastifyReply): void {
    this.sendPage(reply, 'docs');
  }

  @Route({
    ...DESCRIPTION,
    path: '/docs',
    id: 'getDocs',
    summary: 'The API reference as a page.',
    answers: { 200: { description: 'The API reference as a page.', mediaTypes: ['text/html'] } },
  })
  docs(@Res() reply: FastifyReply): void {
    this.sendPage(reply, 'docs');
  }

  @Route({
    ...DESCRIPTION,
    path: '/docs/{asset}',
    id: 'getDocsAsset',
    summary: 'Retrieve the style or icon of the pages',
    answers: { 200: { description: 'The file.', mediaTypes: ['text/css', 'image/svg+xml'] } },
    errors: ['NOT_FOUND'],
  })
  asset(@Res() reply: FastifyReply, @Param('asset') name: string): void {
    const asset = docsAsset(name);
    if (asset === undefined) throw new ApiError('NOT_FOUND');
    sendCacheable(reply, {
      etag: asset.contentSha256,
      mediaType: asset.mediaType,
      cacheControl: CACHE_CONTROL,
      body: asset.bytes,
    });
  }

  @Route({
    ...DESCRIPTION,
    path: '/v4/errors',
    id: 'getErrors',
    summary: 'Retrieve the error codes, to which the `docs` of every finding link',
    answers: { 200: { description: 'The error codes.', mediaTypes: ['text/html'] } },
  })
  errors(@Res() reply: FastifyReply): void {
    this.sendPage(reply, 'errors');
  }

  private sendPage(reply: FastifyReply, name: 'docs' | 'errors'): void {
    const body = this.pages[name];
    reply.header('content-security-policy', CONTENT_SECURITY_POLICY);
    sendCacheable(reply, { etag: sha256Digest(body), mediaType: HTML, cacheControl: CACHE_CONTROL, body });
  }
}

function pagesOf({ document, routes }: OpenApiDocument, files: PublishedFiles) {
  const { guides, reference } = documentationIndex(files);
  const linkTo = ({ path, title, summary }: DocumentDescriptor) => [path, title, summary] as const;
  return {
    docs: Buffer.from(
      docsPage(document, [
        { heading: 'This deployment', links: DEPLOYMENT },
        { heading: 'Guides', links: guides.map(linkTo) },
        { heading: 'Programs', links: programsOf(files) },
        { heading: 'Reference', links: reference.map(linkTo) },
      ]),
    ),
    errors: Buffer.from(errorsPage(routes, servedEntry)),
  };
}

const DEPLOYMENT: RelatedPages['links'] = [
  ['/v4/discovery', 'discovery', 'what this deployment serves, and whether it accepts new launches'],
  [`${MULTI_ROLE_BASE_PATH}/capabilities`, 'capabilities', 'the same of multi-role launches, with their context'],
  ['/openapi.json', 'openapi.json', 'this page for machines, OpenAPI 3.1'],
  [DOCUMENTATION_INDEX_PATH, 'index.json', 'the guides and the reference pages with their digests, for machines'],
  [`${MULTI_ROLE_BASE_PATH}/finalized`, 'finalized', 'the multi-role launches that are proven; no key is required'],
  [
    CUSTOM_LAUNCH_FEED_PATH,
    'finalized-custom-launches',
    'the custom launches and plans that are proven; no key is required',
  ],
  ['/v4/errors', 'errors', 'every error code, and what it means'],
];

/** Returns links to the programs that the process publishes; capabilities list those of multi-role launches and modules. */
const programsOf = (files: PublishedFiles): RelatedPages['links'] =>
  (
    [
      [LAUNCH_CLI_PATH, 'launch.mjs', 'the launch CLI, for custom launches and plans'],
      [INDEX_READER_PATH, 'index-reader.mjs', 'reads the index, and verifies it against your own endpoints'],
      [MULTI_ROLE_BASE_PATH, 'client.mjs', 'the client of multi-role launches; `downloads` fetches the other programs'],
    ] as const
  )
    .filter(([, name]) => files.has(name))
    .map(([path, name, what]) => [`${path}/${name}`, name, what]);
