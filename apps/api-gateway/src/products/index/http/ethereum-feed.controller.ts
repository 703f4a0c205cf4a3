import { Controller, Inject, Param, Req, Res } from '@nestjs/common';
import { ETHEREUM_FEED_PATH, ethereumFinalizedListSchema, indexEvidenceSchema } from '@launch/contracts/index';
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
import { ANSWER_SIGNER } from '../../../platform/tokens.js';
import { Route } from '../../../core/accounts/api.route.js';
import { ETHEREUM_FEED_EXAMPLE } from './ethereum-feed.example.js';
import { EthereumFeedService } from '../domain/ethereum-feed.service.js';

@Controller()
export class EthereumFeedController {
  constructor(
    private readonly service: EthereumFeedService,
    @Inject(ANSWER_SIGNER) private readonly signer: AnswerSigner,
  ) {}

  @Route({
    method: 'get',
    path: ETHEREUM_FEED_PATH,
    id: 'listFinalizedEthereumLaunches',
    tag: 'Public feed',
    scopes: null,
    quota: 'public',
    query: listQuerySchema(LIMITS.customFinalizedListDefault),
    entityTag: 'SHA-256 of the bytes.',
    summary: 'Finalized Custom launches on Ethereum in the order of their publication',
    description:
      'Append-only: launches that a router of Ethereum stamped as kind 1, from the index. Their sources are not verified here, so no label follows. `quality.status` is `ready` while every launch of a current index is published; a deployment that reads no index says `INDEX_UNREAD`.',
    answers: {
      200: {
        description: 'A page.',
        headers: SIGNED_HEADERS,
        schema: ethereumFinalizedListSchema,
        example: ETHEREUM_FEED_EXAMPLE,
      },
    },
    errors: ['CURSOR_INVALID'],
  })
  async list(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const bytes = await this.service.list(queryOf<ListQuery>(request));
    sendSigned(reply, this.signer, {
      bytes,
      path: ETHEREUM_FEED_PATH,
      cacheControl: 'public, max-age=5',
      hasTag: true,
    });
  }

  @Route({
    method: 'get',
    path: `${ETHEREUM_FEED_PATH}/{onchainLaunchId}/evidence/{evidenceSha256}`,
    id: 'getFinalizedEthereumLaunchEvidence',
    tag: 'Public feed',
    scopes: null,
    quota: 'public',
    summary: 'What the stamp of a launch on Ethereum was verified by',
    description:
      'The source, every log and every read at the launch’s block with its answer; bound to its digest, the same bytes for ever. Whoever verifies the launch alike writes them alike.',
    entityTag: 'SHA-256 of the bytes.',
    answers: { 200: { description: 'The evidence.', schema: indexEvidenceSchema } },
    errors: ['NOT_FOUND'],
  })
  async evidence(
    @Res() reply: FastifyReply,
    @Param('onchainLaunchId') routerLaunchId: string,
    @Param('evidenceSha256') hex: string,
  ): Promise<void> {
    const { bytes, sha256 } = await this.service.evidence(routerLaunchId, hex);
    reply.header('vary', 'Accept');
    sendCacheable(reply, {
      etag: sha256,
      mediaType: 'application/json; charset=utf-8',
      cacheControl: 'public, max-age=31536000, immutable',
      body: bytes,
    });
  }
}
