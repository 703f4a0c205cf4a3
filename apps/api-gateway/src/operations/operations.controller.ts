import { Controller, Inject, Res } from '@nestjs/common';
import type { Readiness, Registry } from '@launch/platform';
import { sendJson } from '@launch/http';
import type { FastifyReply } from 'fastify';
import { METRICS, READINESS } from '../tokens.js';
import { Route } from '../v4-routes.js';

@Controller()
export class OperationsController {
  constructor(
    @Inject(READINESS) private readonly readiness: Readiness,
    @Inject(METRICS) private readonly metrics: Registry,
  ) {}

  @Route({
    method: 'get',
    path: '/healthz',
    id: 'getHealth',
    tag: 'Operations',
    scopes: null,
    quota: 'probe',
    summary: 'Whether the process runs',
    answers: { 200: { description: 'Whether the process runs' } },
  })
  health(@Res() reply: FastifyReply): void {
    reply.header('cache-control', 'no-store');
    sendJson(reply, { status: 'ok' });
  }

  @Route({
    method: 'get',
    path: '/readyz',
    id: 'getReadiness',
    tag: 'Operations',
    scopes: null,
    quota: 'probe',
    summary: 'Whether the process can work',
    answers: {
      200: { description: 'Whether the process can work' },
      503: { description: 'It cannot; the checks say why.' },
    },
  })
  async ready(@Res() reply: FastifyReply): Promise<void> {
    const report = await this.readiness.report();
    reply.code(report.status === 'ready' ? 200 : 503).header('cache-control', 'no-store');
    sendJson(reply, report);
  }

  @Route({
    method: 'get',
    path: '/metrics',
    id: 'getMetrics',
    tag: 'Operations',
    scopes: null,
    quota: 'probe',
    summary: 'Prometheus metrics',
    answers: { 200: { description: 'Prometheus metrics', mediaTypes: ['text/plain'] } },
  })
  async scrape(@Res() reply: FastifyReply): Promise<void> {
    reply.header('cache-control', 'no-store').header('content-type', this.metrics.contentType);
    reply.send(await this.metrics.metrics());
  }
}
