import { Controller, Inject, Param, Req, Res } from '@nestjs/common';
import {
  CUSTOM_LAUNCH_FEED_PATH,
  customLaunchEvidenceSchema,
  customLaunchFinalizedListSchema,
} from '@launch/contracts/custom-launch';
import { planStepEvidenceSchema } from '@launch/contracts/plans';
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
import { z } from 'zod';
import { ANSWER_SIGNER } from '../../../platform/tokens.js';
import { Route } from '../../../core/accounts/api.route.js';
import { CUSTOM_FEED_EXAMPLE } from './custom-launch-feed.example.js';
import { CustomLaunchFeedService } from '../domain/custom-launch-feed.service.js';

/** The evidence of a custom launch, or of the step that registered a plan. */
const publicEvidenceSchema = z
  .discriminatedUnion('schemaVersion', [customLaunchEvidenceSchema, planStepEvidenceSchema])
  .meta({ id: 'PublicLaunchEvidence' });

@Controller()
export class CustomLaunchFeedController {
  constructor(
    private readonly service: CustomLaunchFeedService,
    @Inject(ANSWER_SIGNER) private readonly signer: AnswerSigner,
  ) {}

  @Route({
    method: 'get',
    path: CUSTOM_LAUNCH_FEED_PATH,
    id: 'listFinalizedCustomLaunches',
    tag: 'Public feed',
    scopes: null,
    quota: 'public',
    query: listQuerySchema(LIMITS.customFinalizedListDefault),
    entityTag: 'SHA-256 of the bytes.',
    summary: 'Finalized custom launches and plans in the order of their publication',
    description:
      'Append-only. `quality.status` is `ready` while every finalized launch is published. A record that fails its own verification is held back and counted, and readers reject every page until it is resolved.',
    answers: {
      200: {
        description: 'A page.',
        headers: SIGNED_HEADERS,
        schema: customLaunchFinalizedListSchema,
        example: CUSTOM_FEED_EXAMPLE,
      },
    },
    errors: ['CURSOR_INVALID'],
  })
  async list(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const bytes = await this.service.list(queryOf<ListQuery>(request));
    sendSigned(reply, this.signer, {
      bytes,
      path: CUSTOM_LAUNCH_FEED_PATH,
      cacheControl: 'public, max-age=5',
      hasTag: true,
    });
  }

  @Route({
    method: 'get',
    path: `${CUSTOM_LAUNCH_FEED_PATH}/{launchId}/evidence/{evidenceSha256}`,
    id: 'getFinalizedCustomLaunchEvidence',
    tag: 'Public feed',
    scopes: null,
    quota: 'public',
    summary: 'What the finality of a published launch rests on',
    description:
      'Of a custom launch, or of the step that registered a plan: what both observers of both chains answered, and the proofs that need none of them; bound to its digest, the same bytes for ever. Observers have names in it and no addresses.',
    entityTag: 'SHA-256 of the bytes.',
    answers: { 200: { description: 'The bundle.', schema: publicEvidenceSchema } },
    errors: ['NOT_FOUND'],
  })
  async evidence(
    @Res() reply: FastifyReply,
    @Param('launchId') launchId: string,
    @Param('evidenceSha256') hex: string,
  ): Promise<void> {
    const { bytes, sha256 } = await this.service.evidence(launchId, hex);
    reply.header('vary', 'Accept');
    sendCacheable(reply, {
      etag: sha256,
      mediaType: 'application/json; charset=utf-8',
      cacheControl: 'public, max-age=31536000, immutable',
      body: bytes,
    });
  }
}
