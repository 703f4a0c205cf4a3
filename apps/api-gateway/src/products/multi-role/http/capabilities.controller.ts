import { Controller, Res } from '@nestjs/common';
import { capabilitiesSchema, MULTI_ROLE_BASE_PATH } from '@launch/contracts/multi-role';
import { sendJsonBytes } from '@launch/http';
import type { FastifyReply } from 'fastify';
import { MultiRoleRoute } from './multi-role.route.js';
import { CAPABILITIES_EXAMPLE } from './capabilities.example.js';
import { CapabilitiesService } from '../domain/capabilities.service.js';

@Controller()
export class CapabilitiesController {
  constructor(private readonly service: CapabilitiesService) {}

  @MultiRoleRoute({
    method: 'get',
    path: `${MULTI_ROLE_BASE_PATH}/capabilities`,
    id: 'getCapabilities',
    tag: 'Discovery',
    discovery: 'capabilities',
    scopes: null,
    quota: 'public',
    summary: 'Retrieve the context, routes and readiness',
    description:
      'Read the discovery document first. A deployment without a context returns 200 with `context: null`, `readiness.status: unavailable` and the reasons.',
    answers: {
      200: {
        description: 'The capabilities of this deployment.',
        schema: capabilitiesSchema,
        example: CAPABILITIES_EXAMPLE,
      },
    },
  })
  read(@Res() reply: FastifyReply): void {
    reply.header('cache-control', 'no-cache');
    sendJsonBytes(reply, this.service.bytes());
  }
}
