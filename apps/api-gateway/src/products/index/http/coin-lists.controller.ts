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
    summary: 'Coins as the site lists them',
    description:
      'Filtered, including coins that are not final yet, each with its stage. The list is not a complete archive: it ends at its first 10,000 coins, and later pages are empty. Text is untrusted display data.',
    answers: { 200: { description: 'A page.', schema: chainExploreSchema, example: EXPLORE_EXAMPLE } },
  })
  async explore(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendIndexed(reply, await this.lists.explore(queryOf<ExploreQuery>(request)));
  }

  @IndexRead({
    path: PROFILE_PATH,
    id: 'getChainProfile',
    query: profileQuery,
    summary: 'The coins of a launch wallet',
    description: 'The newest first, at most 10,000. A wallet without coins has an empty page.',
    answers: { 200: { description: 'A page.', schema: chainProfileSchema, example: PROFILE_EXAMPLE } },
  })
  async profile(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendIndexed(reply, await this.lists.profile(queryOf<ProfileQuery>(request)));
  }

  @IndexRead({
    path: PRESENTATION_PATH,
    id: 'getChainPresentation',
    query: presentationQuery,
    summary: 'The metadata of a coin',
    description:
      'Image, text and links as the token has them. They are untrusted; show them as text. Nothing is fetched or changed.',
    answers: {
      200: { description: 'The presentation.', schema: chainPresentationSchema, example: PRESENTATION_EXAMPLE },
    },
    errors: ['NOT_FOUND', 'INDEX_NOT_CURRENT'],
  })
  async presentation(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendIndexed(reply, await this.lists.presentation(queryOf<PresentationQuery>(request)));
  }
}
