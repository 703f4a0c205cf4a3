import { Controller, Get, Res } from '@nestjs/common';
import { sha256Digest } from '@launch/contracts';
import type { FastifyReply } from 'fastify';
import { Access } from '../../http/access.decorator.js';
import { sendCacheable } from '@launch/http';
import { docsPage } from './docs.page.js';
import { OpenApiDocument } from './openapi.document.js';

@Controller()
export class OpenApiController {
  private readonly page: Buffer;

  constructor(private readonly openapi: OpenApiDocument) {
    const components = openapi.document['components'] as { readonly schemas: Readonly<Record<string, unknown>> };
    this.page = Buffer.from(docsPage(openapi.routes, components.schemas));
  }

  @Get('openapi.json')
  @Access({ scopes: null, quota: 'public' })
  document(@Res() reply: FastifyReply): void {
    sendCacheable(reply, {
      etag: this.openapi.contentSha256,
      mediaType: 'application/json; charset=utf-8',
      cacheControl: 'public, max-age=60',
      body: this.openapi.bytes,
    });
  }

  /** `/` for who has nothing but the address; `/v4/errors#CODE` is where every finding's `docs` points. */
  @Get(['/', 'docs', 'v4/errors'])
  @Access({ scopes: null, quota: 'public' })
  readable(@Res() reply: FastifyReply): void {
    reply.header(
      'content-security-policy',
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    sendCacheable(reply, {
      etag: sha256Digest(this.page),
      mediaType: 'text/html; charset=utf-8',
      cacheControl: 'public, max-age=60',
      body: this.page,
    });
  }
}
