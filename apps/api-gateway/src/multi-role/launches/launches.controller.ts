import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { LIMITS, MULTI_ROLE_BASE_PATH } from '@launch/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { bodyOf, idempotencyKeyOf, markPrivate, rawQuery, sendJson } from '@launch/http';
import { callerOf } from '../../accounts/credentials/request-caller.js';
import { Access } from '../../http/access.decorator.js';
import { CreateLaunchService } from './create-launch.service.js';
import { ReadLaunchService } from './read-launch.service.js';

@Controller(MULTI_ROLE_BASE_PATH)
export class LaunchesController {
  constructor(
    private readonly creation: CreateLaunchService,
    private readonly reading: ReadLaunchService,
  ) {}

  @Post()
  @Access({
    scopes: ['custom-launch:create'],
    quota: 'submit',
    bodyBytes: LIMITS.requestBytes,
    idempotencyKey: 'required',
  })
  async create(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { replayed, resource } = await this.creation.create(
      request,
      callerOf(request),
      idempotencyKeyOf(request),
      bodyOf(request),
    );
    reply.code(replayed ? 200 : 202).header('location', resource.statusUrl);
    if (replayed) reply.header('idempotency-replayed', 'true');
    markPrivate(reply);
    sendJson(reply, resource);
  }

  @Get()
  @Access({ scopes: ['custom-launch:read'], quota: 'read', query: ['limit', 'cursor'] })
  async list(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const page = await this.reading.list(callerOf(request), rawQuery(request));
    markPrivate(reply);
    sendJson(reply, page);
  }

  @Get(':launchId')
  @Access({ scopes: ['custom-launch:read'], quota: 'read' })
  async read(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('launchId') launchId: string,
  ): Promise<void> {
    const resource = await this.reading.read(callerOf(request), launchId);
    markPrivate(reply);
    sendJson(reply, resource);
  }
}
