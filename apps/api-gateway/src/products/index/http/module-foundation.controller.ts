import { Controller, Req, Res } from '@nestjs/common';
import { MODULE_FOUNDATION_PATH, moduleFoundationSchema } from '@launch/contracts/index';
import { queryOf } from '@launch/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendIndexed } from './answers.js';
import { IndexRead } from './index.route.js';
import { moduleFoundationQuery, type ModuleFoundationQuery } from '../domain/coin-queries.js';
import { MODULE_FOUNDATION_EXAMPLE } from './module-foundation.example.js';
import { ModuleFoundationService } from '../domain/module-foundation.service.js';

@Controller()
export class ModuleFoundationController {
  constructor(private readonly foundation: ModuleFoundationService) {}

  @IndexRead({
    path: MODULE_FOUNDATION_PATH,
    id: 'getModuleFoundation',
    query: moduleFoundationQuery,
    summary: 'List the Foundation releases of a chain, or retrieve the launch of a coin',
    description:
      "Returns the current release at the top level, and every release in `releases`. With `token`, returns 404 `MODULE_STAMP_MISSING` if both providers have the token and no published Ethereum router stamped it, and 503 `MODULE_INDEX_PENDING` while the index has not passed the token's block or the providers disagree.",
    answers: {
      200: { description: 'The releases.', schema: moduleFoundationSchema, example: MODULE_FOUNDATION_EXAMPLE },
    },
    errors: ['NOT_FOUND', 'MODULE_STAMP_MISSING', 'MODULE_INDEX_PENDING'],
  })
  async discovery(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { chainId, token } = queryOf<ModuleFoundationQuery>(request);
    sendIndexed(reply, await this.foundation.discovery(chainId, token));
  }
}
