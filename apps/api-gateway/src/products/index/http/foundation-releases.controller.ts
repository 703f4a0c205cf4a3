import { Controller, Param, Res } from '@nestjs/common';
import { foundationAvailabilitySchema, foundationReleasesSchema, MODULES_PATH } from '@launch/contracts/modules';
import type { FastifyReply } from 'fastify';
import { FoundationReleasesService } from '../domain/foundation-releases.service.js';
import { ModuleRoute } from '../../../core/module-submissions/module.route.js';
import { sendIndexed } from './answers.js';
import { FOUNDATION_AVAILABILITY_EXAMPLE, FOUNDATION_RELEASES_EXAMPLE } from './foundation-releases.examples.js';

const RELEASES = `${MODULES_PATH}/foundation/releases`;
const PUBLIC = {
  method: 'get',
  tag: 'Modules',
  scopes: null,
  quota: 'public',
  entityTag: 'SHA-256 digest of the response body.',
} as const;

@Controller()
export class FoundationReleasesController {
  constructor(private readonly foundation: FoundationReleasesService) {}

  @ModuleRoute({
    ...PUBLIC,
    path: RELEASES,
    id: 'listFoundationReleases',
    summary: 'List Foundation factory releases',
    description: 'Retained releases stay in the list permanently. Use only the current release for new launches.',
    answers: {
      200: {
        description: 'Every release. The list is empty if no factory is deployed.',
        schema: foundationReleasesSchema,
        example: FOUNDATION_RELEASES_EXAMPLE,
      },
    },
  })
  async releases(@Res() reply: FastifyReply): Promise<void> {
    sendIndexed(reply, await this.foundation.releases());
  }

  @ModuleRoute({
    ...PUBLIC,
    path: `${RELEASES}/{releaseHex}/availability`,
    id: 'getFoundationAvailability',
    summary: 'Check the on-chain factory of a release',
    description:
      'Reads the code from both observers at most five seconds ago; `checkedAt` is the time of the read. Returns `INDETERMINATE` if one does not respond or they disagree.',
    answers: {
      200: {
        description: 'The code that both observers report.',
        schema: foundationAvailabilitySchema,
        example: FOUNDATION_AVAILABILITY_EXAMPLE,
      },
    },
    errors: ['NOT_FOUND'],
  })
  async availability(@Res() reply: FastifyReply, @Param('releaseHex') hex: string): Promise<void> {
    sendIndexed(reply, await this.foundation.availability(`sha256:${hex}`));
  }
}
