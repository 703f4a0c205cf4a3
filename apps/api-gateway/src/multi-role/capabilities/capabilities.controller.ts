import { Controller, Get, Res } from '@nestjs/common';
import { MULTI_ROLE_BASE_PATH } from '@launch/contracts';
import type { FastifyReply } from 'fastify';
import { Access } from '../../http/access.decorator.js';
import { sendJsonBytes } from '@launch/http';
import { CapabilitiesService } from './capabilities.service.js';

@Controller(MULTI_ROLE_BASE_PATH)
export class CapabilitiesController {
  constructor(private readonly service: CapabilitiesService) {}

  @Get('capabilities')
  @Access({ scopes: null, quota: 'public' })
  read(@Res() reply: FastifyReply): void {
    reply.header('cache-control', 'no-cache');
    sendJsonBytes(reply, this.service.bytes());
  }
}
