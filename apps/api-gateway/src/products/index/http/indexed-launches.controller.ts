import { Controller, Inject, Param, Req, Res } from '@nestjs/common';
import {
  INDEXED_LAUNCHES_PATH,
  indexedLaunchesSchema,
  indexedLaunchSchema,
  ROUTER_IDENTITIES_PATH,
  routerIdentitiesSchema,
} from '@launch/contracts/index';
import { addressOf } from '@launch/contracts/primitives';
import { AnswerSigner, ApiError, queryOf, sendSigned, SIGNED_HEADERS } from '@launch/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ANSWER_SIGNER } from '../../../platform/tokens.js';
import { sendIndexed } from './answers.js';
import { indexedLaunchesQuery, type IndexedLaunchesQuery } from '../domain/coin-queries.js';
import { IndexRead } from './index.route.js';
import { IDENTITIES_EXAMPLE, INDEXED_LAUNCH_EXAMPLE, INDEXED_LAUNCHES_EXAMPLE } from './coins.examples.js';
import { RouterIdentitiesService } from '../domain/router-identities.service.js';
import { IndexedLaunchesService } from '../domain/indexed-launches.service.js';

@Controller()
export class IndexedLaunchesController {
  constructor(
    private readonly launches: IndexedLaunchesService,
    private readonly identities: RouterIdentitiesService,
    @Inject(ANSWER_SIGNER) private readonly signer: AnswerSigner,
  ) {}

  @IndexRead({
    path: ROUTER_IDENTITIES_PATH,
    id: 'getRouterCustomIdentities',
    summary: 'Every Custom coin that a router of Ethereum stamped',
    description:
      'Final and whole, as of one checkpoint that every router has reached; equal state, equal bytes. 503 while a router has none.',
    answers: {
      200: {
        description: 'The snapshot.',
        headers: SIGNED_HEADERS,
        schema: routerIdentitiesSchema,
        example: IDENTITIES_EXAMPLE,
      },
    },
  })
  async routerIdentities(@Res() reply: FastifyReply): Promise<void> {
    const bytes = await this.identities.snapshot();
    sendSigned(reply, this.signer, {
      bytes,
      path: ROUTER_IDENTITIES_PATH,
      cacheControl: 'public, max-age=5',
      hasTag: true,
    });
  }

  @IndexRead({
    path: INDEXED_LAUNCHES_PATH,
    id: 'listIndexedLaunches',
    query: indexedLaunchesQuery,
    summary: 'Finalized launches of every source, whole, in the order of their admission',
    description:
      'Append-only: a page with a next cursor never changes. `status` shows how reliable the list is; an outage is 503, never an empty list.',
    answers: { 200: { description: 'A page.', schema: indexedLaunchesSchema, example: INDEXED_LAUNCHES_EXAMPLE } },
    errors: ['CURSOR_INVALID'],
  })
  async list(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendIndexed(reply, await this.launches.list(queryOf<IndexedLaunchesQuery>(request)));
  }

  @IndexRead({
    path: `${INDEXED_LAUNCHES_PATH}/{chainId}/{tokenAddress}`,
    id: 'getIndexedLaunch',
    summary: 'The finalized launch of a coin',
    description:
      '404 only while every source of the chain is current; otherwise absence is unknown and the response is 503.',
    answers: { 200: { description: 'Its record.', schema: indexedLaunchSchema, example: INDEXED_LAUNCH_EXAMPLE } },
    errors: ['NOT_FOUND', 'INDEX_NOT_CURRENT'],
  })
  async launch(
    @Res() reply: FastifyReply,
    @Param('chainId') chainId: string,
    @Param('tokenAddress') token: string,
  ): Promise<void> {
    const address = addressOf(token);
    if (address === null) throw new ApiError('NOT_FOUND');
    sendIndexed(reply, await this.launches.launch(chainId === '1' ? 1 : 4663, address));
  }
}
