import { Controller, Req, Res } from '@nestjs/common';
import {
  chainExploreSchema,
  chainPresentationSchema,
  chainProfileSchema,
  EXPLORE_PATH,
  PRESENTATION_PATH,
  PROFILE_PATH,
} from '@launch/contracts/index';
import { queryOf } from '@launch/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendIndexed } from './answers.js';
import { CoinListsService } from '../domain/coin-lists.service.js';
import {
  exploreQuery,
  presentationQuery,
  profileQuery,
  type ExploreQuery,
  type PresentationQuery,
  type ProfileQuery,
} from '../domain/coin-queries.js';
import { IndexRead } from './index.route.js';
import { EXPLORE_EXAMPLE, PRESENTATION_EXAMPLE, PROFILE_EXAMPLE } from './coins.examples.js';

@Controller()
export class CoinListsController {
  constructor(private readonly lists: CoinListsService) {}

  @IndexRead({
    path: EXPLORE_PATH,
    id: 'exploreChain',
    query: exploreQuery,
    summary: 'List coins as the site shows them',
    description:
      'Returns the coins that match the filters, including coins that are not final yet. `stage` shows how final each coin is. The list ends after 10,000 coins, and later pages are empty. Treat text as untrusted display data.',
    answers: { 200: { description: 'A page of results.', schema: chainExploreSchema, example: EXPLORE_EXAMPLE } },
  })
  async explore(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendIndexed(reply, await this.lists.explore(queryOf<ExploreQuery>(request)));
  }

  @IndexRead({
    path: PROFILE_PATH,
    id: 'getChainProfile',
    query: profileQuery,
    summary: 'List the coins of a launch wallet',
    description: 'Returns the newest coins first, at most 10,000. A wallet without coins has an empty page.',
    answers: { 200: { description: 'A page of results.', schema: chainProfileSchema, example: PROFILE_EXAMPLE } },
  })
  async profile(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendIndexed(reply, await this.lists.profile(queryOf<ProfileQuery>(request)));
  }

  @IndexRead({
    path: PRESENTATION_PATH,
    id: 'getChainPresentation',
    query: presentationQuery,
    summary: 'Retrieve the metadata of a coin',
    description:
      'Returns the image, text and links exactly as the token stores them. The service does not fetch or change them. They are untrusted: show them as text.',
    answers: {
      200: { description: 'The metadata.', schema: chainPresentationSchema, example: PRESENTATION_EXAMPLE },
    },
    errors: ['NOT_FOUND', 'INDEX_NOT_CURRENT'],
  })
  async presentation(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendIndexed(reply, await this.lists.presentation(queryOf<PresentationQuery>(request)));
  }
}
