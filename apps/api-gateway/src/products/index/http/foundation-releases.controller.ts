import { Controller, Param, Res } from '@nestjs/common';
import { foundationAvailabilitySchema, foundationReleasesSchema, MODULES_PATH } from '@launch/contracts/modules';
import type { FastifyReply } from 'fastify';
import { FoundationReleasesService } from '../domain/foundation-releases.service.js';
import { ModuleRoute } from '../../../core/module-submissions/module.route.js';
import { sendLive } from '../../../platform/http/live-answer.js';
import { FOUNDATION_AVAILABILITY_EXAMPLE, FOUNDATION_RELEASES_EXAMPLE } from './foundation-releases.examples.js';

const RELEASES = `${MODULES_PATH}/foundation/releases`;
const PUBLIC = { method: 'get', tag: 'Modules', scopes: null, quota: 'public' } as const;

@Controller()
export class FoundationReleasesController {
  constructor(private readonly foundation: FoundationReleasesService) {}

  @ModuleRoute({
    ...PUBLIC,
    path: RELEASES,
    id: 'listFoundationReleases',
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
  async releases(@Res() reply: FastifyReply): Promise<void> {
    sendLive(reply, await this.foundation.releases());
  }

  @ModuleRoute({
    ...PUBLIC,
    path: `${RELEASES}/{releaseHex}/availability`,
    id: 'getFoundationAvailability',
    summary: 'Whether a release’s factory stands on chain as it is named',
    description:
      'Both observers are asked for the code now. `INDETERMINATE` where one gives no answer or they differ: nothing is inferred from one alone.',
    answers: {
      200: {
        description: 'What both observers show.',
        schema: foundationAvailabilitySchema,
        example: FOUNDATION_AVAILABILITY_EXAMPLE,
      },
    },
    errors: ['NOT_FOUND'],
  })
  async availability(@Res() reply: FastifyReply, @Param('releaseHex') hex: string): Promise<void> {
    sendLive(reply, await this.foundation.availability(`sha256:${hex}`));
  }
}
