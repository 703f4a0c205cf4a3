import { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Span } from '@opentelemetry/api';
import { beginSpan, isTracing } from '@launch/platform';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Traces requests by their route, and continues the trace that a `traceparent` header names. */
export function traceRequests(fastify: FastifyInstance): void {
  if (!isTracing()) return;
  const spans = new WeakMap<FastifyRequest, Span>();
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { method, headers, is404 } = request;
    const route = is404 ? 'none' : (request.routeOptions.url ?? 'none');
    const parent = propagation.extract(ROOT_CONTEXT, headers);
    const attributes = { 'http.request.method': method, 'http.route': route };
    const span = beginSpan(`${method} ${route}`, SpanKind.SERVER, attributes, parent);
    spans.set(request, span);
    context.with(trace.setSpan(parent, span), done);
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request);
    span?.setAttribute('http.response.status_code', reply.statusCode);
    if (reply.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR });
    span?.end();
    done();
  });
}
