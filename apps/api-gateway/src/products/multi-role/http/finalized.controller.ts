import { Controller, Param, Res, type Type } from '@nestjs/common';
import {
  FINALITY_ROUTES,
  finalizedListSchema,
  finalizedListV3Schema,
  finalizedRecordSchema,
  finalizedRecordV3Schema,
} from '@launch/contracts/multi-role';
import { LIMITS } from '@launch/contracts/primitives';
import { sendCacheable } from '@launch/http';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { feedListController } from '../../../core/feeds/feed.controllers.js';
import { IMMUTABLE, sendPublicJson } from '../../../platform/http/public-answer.js';
import { MultiRoleRoute } from './multi-role.route.js';
import { FEED_PAGE_EXAMPLE, RECORD_EXAMPLE } from './finalized.examples.js';
import { FinalizedFeedV2, FinalizedFeedV3, FinalizedService } from '../domain/finalized.service.js';

/** The single records of one finality generation. */
interface Records {
  readonly generation: 'v2' | 'v3';
  /** The suffix of its operation ids. */
  readonly suffix: string;
  readonly record: { readonly schema: z.ZodType; readonly example?: unknown };
  /** Its names in capabilities. */
  readonly discovery?: { readonly record: string; readonly image: string };
}

/** Declares the routes of single records of a generation. */
function recordController({ generation, suffix, record, discovery }: Records): Type {
  const { feed } = FINALITY_ROUTES[generation];

  @Controller()
  class RecordController {
    constructor(private readonly service: FinalizedService) {}

    @MultiRoleRoute({
      method: 'get',
      path: feed.record,
      id: `getFinalized${suffix}`,
      tag: 'Public feed',
      ...(discovery === undefined ? {} : { discovery: discovery.record }),
      scopes: null,
      quota: 'public',
      summary: 'Retrieve a finalized launch',
      description: 'Returns the published record. Its bytes never change.',
      entityTag: 'SHA-256 digest of the response body.',
      answers: { 200: { description: 'The published record.', ...record } },
      errors: ['NOT_FOUND'],
    })
    async read(@Res() reply: FastifyReply, @Param('onchainLaunchId') id: string): Promise<void> {
      sendPublicJson(reply, await this.service.read(generation, id), 'public, max-age=60');
    }

    @MultiRoleRoute({
      method: 'get',
      path: feed.image,
      id: `getFinalizedImage${suffix}`,
      tag: 'Public feed',
      ...(discovery === undefined ? {} : { discovery: discovery.image }),
      scopes: null,
      quota: 'public',
      summary: 'Retrieve the admitted image of a launch',
      description: 'The digest must be that of the admitted image. Any other digest returns 404.',
      entityTag: 'SHA-256 digest of the response body.',
      answers: {
        200: { description: 'The image, byte for byte as it was admitted.', mediaTypes: ['image/png', 'image/gif'] },
      },
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
      sendCacheable(reply, { etag: sha256, mediaType, cacheControl: IMMUTABLE, body: bytes });
    }
  }
  return RecordController;
}

const FEED = {
  route: MultiRoleRoute,
  summary: 'List finalized launches, in the order of publication',
  description: 'The list is append-only: no item is ever inserted before a page that you have read.',
  defaultLimit: LIMITS.finalizedListDefault,
  hasTag: false,
} as const;

export const FinalizedFeedController = feedListController({
  ...FEED,
  family: FinalizedFeedV2,
  path: FINALITY_ROUTES.v2.feed.list,
  id: 'listFinalized',
  discovery: 'finalized',
  answer: { schema: finalizedListSchema, example: FEED_PAGE_EXAMPLE },
});

export const FinalizedFeedV3Controller = feedListController({
  ...FEED,
  family: FinalizedFeedV3,
  path: FINALITY_ROUTES.v3.feed.list,
  id: 'listFinalizedV3',
  answer: { schema: finalizedListV3Schema },
});

export const FinalizedController = recordController({
  generation: 'v2',
  suffix: '',
  record: { schema: finalizedRecordSchema, example: RECORD_EXAMPLE },
  discovery: { record: 'finalizedLaunch', image: 'finalizedImage' },
});

export const FinalizedV3Controller = recordController({
  generation: 'v3',
  suffix: 'V3',
  record: { schema: finalizedRecordV3Schema },
});
