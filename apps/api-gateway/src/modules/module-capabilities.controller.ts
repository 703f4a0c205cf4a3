import { Controller, Res } from '@nestjs/common';
import {
  foundationReleasesSchema,
  moduleCapabilitiesSchema,
  moduleReviewCapabilitiesSchema,
  MODULES_PATH,
} from '@launch/contracts';
import { sendJson } from '@launch/http';
import type { FastifyReply } from 'fastify';
import { ModuleRoute } from '../module-routes.js';
import {
  FOUNDATION_RELEASES_EXAMPLE,
  MODULE_CAPABILITIES_EXAMPLE,
  REVIEW_CAPABILITIES_EXAMPLE,
} from './modules.examples.js';
import { ReadModulesService } from './read-modules.service.js';

@Controller()
export class ModuleCapabilitiesController {
  constructor(private readonly reading: ReadModulesService) {}

  @ModuleRoute({
    method: 'get',
    path: `${MODULES_PATH}/capabilities`,
    id: 'getModuleCapabilities',
    tag: 'Modules',
    scopes: null,
    quota: 'public',
    summary: 'Whether drafts are taken, and within which limits',
    description: 'Live: it decides what a client may do. The limits are those that are enforced.',
    answers: {
      200: { description: 'The intake now.', schema: moduleCapabilitiesSchema, example: MODULE_CAPABILITIES_EXAMPLE },
    },
  })
  async capabilities(@Res() reply: FastifyReply): Promise<void> {
    live(reply, await this.reading.capabilities());
  }

  @ModuleRoute({
    method: 'get',
    path: `${MODULES_PATH}/review-capabilities`,
    id: 'getModuleReviewCapabilities',
    tag: 'Modules',
    scopes: null,
    quota: 'public',
    summary: 'Whether reviews are done now',
    description: 'Ready needs database, reviewer policy and worker together, told within the last minute.',
    answers: {
      200: {
        description: 'The review now.',
        schema: moduleReviewCapabilitiesSchema,
        example: REVIEW_CAPABILITIES_EXAMPLE,
      },
    },
  })
  async reviewCapabilities(@Res() reply: FastifyReply): Promise<void> {
    live(reply, await this.reading.reviewCapabilities());
  }

  @ModuleRoute({
    method: 'get',
    path: `${MODULES_PATH}/foundation/releases`,
    id: 'listFoundationReleases',
    tag: 'Modules',
    scopes: null,
    quota: 'public',
    summary: 'Foundation factory releases',
    description: 'A release that is retained is listed for ever; new launches are meant for the current one alone.',
    answers: {
      200: {
        description: 'Every release; none where no factory is deployed.',
        schema: foundationReleasesSchema,
        example: FOUNDATION_RELEASES_EXAMPLE,
      },
    },
  })
  releases(@Res() reply: FastifyReply): void {
    live(reply, this.reading.foundationReleases());
  }
}

/** What is true now may be false in a second. */
function live(reply: FastifyReply, value: object): void {
  reply.header('cache-control', 'no-store');
  sendJson(reply, value);
}
