import { Controller, Get, Res } from '@nestjs/common';
import { FINALITY_DISCOVERY_PATH, FINALITY_READINESS_PATH } from '@launch/contracts';
import type { FastifyReply } from 'fastify';
import { Access } from '../../http/access.decorator.js';
import { sendJson } from '@launch/http';
import { DerivedFinalityService } from './derived-finality.service.js';

@Controller()
export class DerivedFinalityController {
  constructor(private readonly service: DerivedFinalityService) {}

  @Get(FINALITY_DISCOVERY_PATH)
  @Access({ scopes: null, quota: 'public' })
  discovery(@Res() reply: FastifyReply): void {
    reply.header('cache-control', 'no-cache');
    sendJson(reply, this.service.discovery());
  }

  @Get(FINALITY_READINESS_PATH)
  @Access({ scopes: null, quota: 'public' })
  async readiness(@Res() reply: FastifyReply): Promise<void> {
    const readiness = await this.service.readiness();
    reply.header('cache-control', 'no-store');
    sendJson(reply, readiness);
  }
}
