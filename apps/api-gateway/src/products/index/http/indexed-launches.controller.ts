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
    summary: 'Retrieve every Custom coin that an Ethereum router stamped',
    description:
      'The snapshot is complete as of one finalized checkpoint that every router has reached. The same state always returns the same bytes. Returns 503 while a router has no checkpoint.',
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
    summary: 'List finalized launches of every source, in the order of admission',
    description:
      'The list is append-only: a page with a next cursor never changes. `status` shows whether the list is complete and current. During an outage the route returns 503, never an empty list.',
    answers: {
      200: { description: 'A page of results.', schema: indexedLaunchesSchema, example: INDEXED_LAUNCHES_EXAMPLE },
    },
    errors: ['CURSOR_INVALID'],
  })
  async list(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendIndexed(reply, await this.launches.list(queryOf<IndexedLaunchesQuery>(request)));
  }

  @IndexRead({
    path: `${INDEXED_LAUNCHES_PATH}/{chainId}/{tokenAddress}`,
    id: 'getIndexedLaunch',
    summary: 'Retrieve the finalized launch of a coin',
    description:
      'Returns 404 only while every source of the chain is current. Otherwise the service cannot confirm that a launch is absent and returns 503.',
    answers: {
      200: { description: 'The record of the launch.', schema: indexedLaunchSchema, example: INDEXED_LAUNCH_EXAMPLE },
    },
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
