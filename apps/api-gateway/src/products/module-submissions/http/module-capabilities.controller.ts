import { Controller, Res } from '@nestjs/common';
import { moduleCapabilitiesSchema, moduleReviewCapabilitiesSchema, MODULES_PATH } from '@launch/contracts/modules';
import type { FastifyReply } from 'fastify';
import { ModuleRoute } from '../../../core/module-submissions/module.route.js';
import { sendLive } from '../../../platform/http/live-answer.js';
import { MODULE_CAPABILITIES_EXAMPLE, REVIEW_CAPABILITIES_EXAMPLE } from './submissions.examples.js';
import { ReadSubmissionsService } from '../domain/read-submissions.service.js';

@Controller()
export class ModuleCapabilitiesController {
  constructor(private readonly reading: ReadSubmissionsService) {}

  @ModuleRoute({
    method: 'get',
    path: `${MODULES_PATH}/capabilities`,
    id: 'getModuleCapabilities',
    tag: 'Modules',
    scopes: null,
    quota: 'public',
    summary: 'Retrieve the state and limits of draft submission',
    description: 'Returns the current state. The service enforces exactly these limits.',
    answers: {
      200: {
        description: 'The current state of the intake.',
        schema: moduleCapabilitiesSchema,
        example: MODULE_CAPABILITIES_EXAMPLE,
      },
    },
  })
  async capabilities(@Res() reply: FastifyReply): Promise<void> {
    sendLive(reply, await this.reading.capabilities());
  }

  @ModuleRoute({
    method: 'get',
    path: `${MODULES_PATH}/review-capabilities`,
    id: 'getModuleReviewCapabilities',
    tag: 'Modules',
    scopes: null,
    quota: 'public',
    summary: 'Retrieve the readiness of module reviews',
    description:
      'The review is ready while the database, the reviewer policy and a worker are all available, as reported within the last minute.',
    answers: {
      200: {
        description: 'The current state of the review.',
        schema: moduleReviewCapabilitiesSchema,
        example: REVIEW_CAPABILITIES_EXAMPLE,
      },
    },
  })
  async reviewCapabilities(@Res() reply: FastifyReply): Promise<void> {
    sendLive(reply, await this.reading.reviewCapabilities());
  }
}
