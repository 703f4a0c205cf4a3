import { Counter, Gauge, Histogram, type Registry } from '@launch/platform';
import type { BodyBudget, HttpServer } from '@launch/http';

/** Counts and times every answered request by route template, never by path, and reports the request bodies in memory. */
export function measureRequests({ fastify }: HttpServer, bodies: BodyBudget, registry: Registry): void {
  const held: Gauge = new Gauge({
    name: 'http_request_body_held_bytes',
    help: 'Bytes of request bodies held now.',
    registers: [registry],
    collect: () => held.set(bodies.bytesHeld),
  });
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Answered requests.',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  });
  const seconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request line to the end of the answer.',
    labelNames: ['method', 'route'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
    registers: [registry],
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    const { is404, method } = request;
    const route = is404 ? 'none' : (request.routeOptions.url ?? 'none');
    requests.inc({ method, route, status: String(reply.statusCode) });
    seconds.observe({ method, route }, reply.elapsedTime / 1_000);
    done();
  });
}
