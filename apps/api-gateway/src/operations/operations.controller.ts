import { Controller, Get, Inject, Res } from '@nestjs/common';
import type { Readiness, Registry } from '@launch/platform';
import type { FastifyReply } from 'fastify';
import { Access } from '../http/access.decorator.js';
import { sendJson } from '@launch/http';
import { METRICS, READINESS } from '../tokens.js';

@Controller()
export class OperationsController {
  constructor(
    @Inject(READINESS) private readonly readiness: Readiness,
    @Inject(METRICS) private readonly metrics: Registry,
  ) {}

  @Get('healthz')
  @Access({ scopes: null, quota: 'probe' })
  health(@Res() reply: FastifyReply): void {
    reply.header('cache-control', 'no-store');
    sendJson(reply, { status: 'ok' });
  }

  @Get('readyz')
  @Access({ scopes: null, quota: 'probe' })
  async ready(@Res() reply: FastifyReply): Promise<void> {
    const report = await this.readiness.report();
    reply.code(report.status === 'ready' ? 200 : 503).header('cache-control', 'no-store');
    sendJson(reply, report);
  }

  @Get('metrics')
  @Access({ scopes: null, quota: 'probe' })
  async scrape(@Res() reply: FastifyReply): Promise<void> {
    reply.header('cache-control', 'no-store').header('content-type', this.metrics.contentType);
    reply.send(await this.metrics.metrics());
  }
}
