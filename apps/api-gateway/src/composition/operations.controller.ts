import { Controller, Res } from '@nestjs/common';
import { sendJson } from '@launch/http';
import type { FastifyReply } from 'fastify';
import { Route } from '../core/routes/api.route.js';

/** Serves the only public route about the process. Readiness and metrics are on the operations port alone. */
@Controller()
export class OperationsController {
  @Route({
    method: 'get',
    path: '/healthz',
    id: 'getHealth',
    tag: 'Operations',
    scopes: null,
    quota: 'probe',
    summary: 'The process runs.',
    answers: { 200: { description: 'The process runs.' } },
  })
  health(@Res() reply: FastifyReply): void {
    reply.header('cache-control', 'no-store');
    sendJson(reply, { status: 'ok' });
  }
}
