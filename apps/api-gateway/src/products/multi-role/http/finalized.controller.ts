import { Controller, Inject, Param, Req, Res, type Type } from '@nestjs/common';
import {
  FINALITY_ROUTES,
  finalizedListSchema,
  finalizedListV3Schema,
  finalizedRecordSchema,
  finalizedRecordV3Schema,
} from '@launch/contracts/multi-role';
import { LIMITS } from '@launch/contracts/primitives';
import {
  type ListQuery,
  listQuerySchema,
  queryOf,
  sendCacheable,
  sendSigned,
  SIGNED_HEADERS,
  AnswerSigner,
} from '@launch/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { ANSWER_SIGNER } from '../../../platform/tokens.js';
import { MultiRoleRoute } from './multi-role.route.js';
import { FEED_PAGE_EXAMPLE, RECORD_EXAMPLE } from './finalized.examples.js';
import { FinalizedService } from '../domain/finalized.service.js';

/** The differences between the feeds of two generations; everything except their records is the same. */
interface Feed {
  readonly generation: 'v2' | 'v3';
  /** The suffix of its operation ids. */
  readonly suffix: string;
  readonly list: { readonly schema: z.ZodType; readonly example?: unknown };
  readonly record: { readonly schema: z.ZodType; readonly example?: unknown };
  /** Its names in capabilities. */
  readonly discovery?: { readonly list: string; readonly record: string; readonly image: string };
}

/** Declares the public feed of a generation. */
function feedController({ generation, suffix, list, record, discovery }: Feed): Type {
  const { feed } = FINALITY_ROUTES[generation];

  @Controller()
  class FeedController {
    constructor(
      readonly service: FinalizedService,
      @Inject(ANSWER_SIGNER) readonly signer: AnswerSigner,
    ) {}

    @MultiRoleRoute({
      method: 'get',
      path: feed.list,
      id: `listFinalized${suffix}`,
      tag: 'Public feed',
      ...(discovery === undefined ? {} : { discovery: discovery.list }),
      scopes: null,
      quota: 'public',
      query: listQuerySchema(LIMITS.finalizedListDefault),
      summary: 'Finalized launches in the order of their publication',
      description: 'Append-only: nothing is ever inserted before a page that was read.',
      answers: { 200: { description: 'A page.', headers: SIGNED_HEADERS, ...list } },
      errors: ['CURSOR_INVALID'],
    })
    async list(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
      const bytes = await this.service.list(generation, queryOf<ListQuery>(request));
      sendSigned(reply, this.signer, { bytes, path: feed.list, cacheControl: 'public, max-age=5', hasTag: false });
    }

    @MultiRoleRoute({
      method: 'get',
      path: feed.record,
      id: `getFinalized${suffix}`,
      tag: 'Public feed',
      ...(discovery === undefined ? {} : { discovery: discovery.record }),
      scopes: null,
      quota: 'public',
      summary: 'One finalized launch',
      description: 'The published record, the same bytes for ever.',
      entityTag: 'SHA-256 of the bytes.',
      answers: { 200: { description: 'The record.', ...record } },
      errors: ['NOT_FOUND'],
    })
    async read(@Res() reply: FastifyReply, @Param('onchainLaunchId') id: string): Promise<void> {
      const { bytes, sha256 } = await this.service.read(generation, id);
      reply.header('vary', 'Accept');
      sendCacheable(reply, {
        etag: sha256,
        mediaType: 'application/json; charset=utf-8',
        cacheControl: 'public, max-age=60',
        body: bytes,
      });
    }

    @MultiRoleRoute({
      method: 'get',
      path: feed.image,
      id: `getFinalizedImage${suffix}`,
      tag: 'Public feed',
      ...(discovery === undefined ? {} : { discovery: discovery.image }),
      scopes: null,
      quota: 'public',
      summary: 'The admitted image',
      description: 'Bound to its digest; another digest is 404.',
      entityTag: 'SHA-256 of the bytes.',
      answers: { 200: { description: 'The bytes as they were admitted.', mediaTypes: ['image/png', 'image/gif'] } },
      errors: ['NOT_FOUND'],
    })
    async image(
      @Res() reply: FastifyReply,
      @Param('onchainLaunchId') id: string,
      @Param('sha256hex') hex: string,
    ): Promise<void> {
      const { bytes, mediaType, sha256 } = await this.service.image(generation, id, hex);
      reply
        .header('x-content-type-options', 'nosniff')
        .header('content-security-policy', 'sandbox')
        .header('cross-origin-resource-policy', 'cross-origin');
      sendCacheable(reply, {
        etag: sha256,
        mediaType,
        cacheControl: 'public, max-age=31536000, immutable',
        body: bytes,
      });
    }
  }
  return FeedController;
}

export const FinalizedController = feedController({
  generation: 'v2',
  suffix: '',
  list: { schema: finalizedListSchema, example: FEED_PAGE_EXAMPLE },
  record: { schema: finalizedRecordSchema, example: RECORD_EXAMPLE },
  discovery: { list: 'finalized', record: 'finalizedLaunch', image: 'finalizedImage' },
});

export const FinalizedV3Controller = feedController({
  generation: 'v3',
  suffix: 'V3',
  list: { schema: finalizedListV3Schema },
  record: { schema: finalizedRecordV3Schema },
});
