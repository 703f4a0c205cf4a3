import { Controller, Param, Req, Res } from '@nestjs/common';
import {
  DEVELOPER_LAUNCHES_PATH,
  developerLaunchesSchema,
  developerLaunchSchema,
  INDEX_MANIFEST_PATH,
  INDEX_STATUS_PATH,
  indexManifestSchema,
  indexStatusSchema,
} from '@launch/contracts/index';
import { addressOf } from '@launch/contracts/primitives';
import { ApiError, queryOf } from '@launch/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendIndexed } from './answers.js';
import { developerLaunchesQuery, type DeveloperLaunchesQuery } from '../domain/coin-queries.js';
import { IndexRead } from './index.route.js';
import {
  DEVELOPER_LAUNCH_EXAMPLE,
  DEVELOPER_LAUNCHES_EXAMPLE,
  INDEX_MANIFEST_EXAMPLE,
  INDEX_STATUS_EXAMPLE,
} from './developer-feed.examples.js';
import { DeveloperFeedService } from '../domain/developer-feed.service.js';
import { IndexStatusService } from '../domain/index-status.service.js';

@Controller()
export class DeveloperFeedController {
  constructor(
    private readonly feed: DeveloperFeedService,
    private readonly index: IndexStatusService,
  ) {}

  @IndexRead({
    path: INDEX_MANIFEST_PATH,
    id: 'getIndexManifest',
    summary: 'Retrieve the Ethereum routers of every generation, and the releases',
    description:
      'A retired generation is valid up to and including its `endBlock`. Scan every generation: the newest router alone does not have every coin. Returns 404 if no Ethereum router was ever configured.',
    answers: { 200: { description: 'The manifest.', schema: indexManifestSchema, example: INDEX_MANIFEST_EXAMPLE } },
    errors: ['NOT_FOUND'],
  })
  async manifest(@Res() reply: FastifyReply): Promise<void> {
    sendIndexed(reply, await this.feed.manifest());
  }

  @IndexRead({
    path: INDEX_STATUS_PATH,
    id: 'getIndexStatus',
    summary: 'Retrieve the checkpoint, lag, coverage and quarantine of every source',
    description:
      'A source whose version has no adapter has the state `unsupported`. Quarantined events are counted by reason, and dismissed events separately.',
    answers: { 200: { description: 'The status.', schema: indexStatusSchema, example: INDEX_STATUS_EXAMPLE } },
  })
  async status(@Res() reply: FastifyReply): Promise<void> {
    sendIndexed(reply, await this.index.status());
  }

  @IndexRead({
    path: DEVELOPER_LAUNCHES_PATH,
    id: 'listDeveloperLaunches',
    query: developerLaunchesQuery,
    summary: 'List finalized launches on Ethereum, in the order of admission',
    description:
      'Includes every router generation and both kinds: `launchKind` 1 is a Custom graph, 2 a Foundation graph. The list is append-only: a page with a next cursor never changes.',
    answers: {
      200: { description: 'A page of results.', schema: developerLaunchesSchema, example: DEVELOPER_LAUNCHES_EXAMPLE },
    },
    errors: ['CURSOR_INVALID'],
  })
  async list(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendIndexed(reply, await this.feed.list(queryOf<DeveloperLaunchesQuery>(request)));
  }

  @IndexRead({
    path: `${DEVELOPER_LAUNCHES_PATH}/1/{tokenAddress}`,
    id: 'getDeveloperLaunch',
    summary: 'Retrieve the finalized launch of a coin on Ethereum',
    description:
      'Returns 404 only while every Ethereum source is current. Otherwise the service cannot confirm that a launch is absent and returns 503.',
    answers: {
      200: {
        description: 'The record of the launch.',
        schema: developerLaunchSchema,
        example: DEVELOPER_LAUNCH_EXAMPLE,
      },
    },
    errors: ['NOT_FOUND', 'INDEX_NOT_CURRENT'],
  })
  async launch(@Res() reply: FastifyReply, @Param('tokenAddress') token: string): Promise<void> {
    const address = addressOf(token);
    if (address === null) throw new ApiError('NOT_FOUND');
    sendIndexed(reply, await this.feed.launch(address));
  }
}
