import { Controller, Res } from '@nestjs/common';
import {
  FINALITY_DISCOVERY_PATH,
  FINALITY_READINESS_PATH,
  finalityDiscoverySchema,
  finalityReadinessSchema,
} from '@launch/contracts/multi-role';
import { sendJson } from '@launch/http';
import type { FastifyReply } from 'fastify';
import { MultiRoleRoute } from './multi-role.route.js';
import { FINALITY_DISCOVERY_EXAMPLE, FINALITY_READINESS_EXAMPLE } from './derived-finality.examples.js';
import { DerivedFinalityService } from '../domain/derived-finality.service.js';

@Controller()
export class DerivedFinalityController {
  constructor(private readonly service: DerivedFinalityService) {}

  @MultiRoleRoute({
    method: 'get',
    path: FINALITY_DISCOVERY_PATH,
    id: 'getFinalityDiscovery',
    tag: 'Discovery',
    discovery: 'finalityDiscovery',
    scopes: null,
    quota: 'public',
    summary: 'Retrieve the finality generations with their routes and schemas',
    description:
      'The context of a launch selects its generation: V2 without a marker, V3 if the marker is `selection.policyV3`. Any other marker is rejected.',
    answers: {
      200: {
        description: 'Both finality generations.',
        schema: finalityDiscoverySchema,
        example: FINALITY_DISCOVERY_EXAMPLE,
      },
    },
  })
  discovery(@Res() reply: FastifyReply): void {
    reply.header('cache-control', 'no-cache');
    sendJson(reply, this.service.discovery());
  }

  @MultiRoleRoute({
    method: 'get',
    path: FINALITY_READINESS_PATH,
    id: 'getFinalityReadiness',
    tag: 'Discovery',
    scopes: null,
    quota: 'public',
    summary: 'Retrieve the readiness of launch recovery',
    description: 'Returns the last checkpoint of the recovery, its lag behind the finalized head, and whether it runs.',
    answers: {
      200: {
        description: 'The last report of the recovery.',
        schema: finalityReadinessSchema,
        example: FINALITY_READINESS_EXAMPLE,
      },
    },
  })
  async readiness(@Res() reply: FastifyReply): Promise<void> {
    const readiness = await this.service.readiness();
    reply.header('cache-control', 'no-store');
    sendJson(reply, readiness);
  }
}
