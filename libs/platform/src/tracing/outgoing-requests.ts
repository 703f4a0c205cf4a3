import { subscribe } from 'node:diagnostics_channel';
import { context, SpanKind, trace, type Span } from '@opentelemetry/api';
import { isTracingSuppressed } from '@opentelemetry/core';
import { beginSpan, failSpan } from './spans.js';

/** The parts of a request of Node's `fetch` that are published when it is sent. */
interface Sent {
  readonly origin: string | URL;
  readonly method: string;
}

/** Traces every request of `fetch` under an active span. The span has the host alone, since the path of an endpoint may be a key. */
export function traceOutgoingRequests(): void {
  const spans = new WeakMap<object, Span>();
  const on = (channel: string, handle: (request: Sent, message: Readonly<Record<string, unknown>>) => void): void =>
    subscribe(`undici:request:${channel}`, (message) => {
      const fields = message as Readonly<Record<string, unknown>>;
      handle(fields['request'] as Sent, fields);
    });
  on('create', (request) => {
    const active = context.active();
    if (isTracingSuppressed(active) || trace.getSpan(active) === undefined) return;
    const { hostname, port } = new URL(request.origin);
    const attributes = {
      'http.request.method': request.method,
      'server.address': hostname,
      ...(port === '' ? {} : { 'server.port': Number(port) }),
    };
    spans.set(request, beginSpan(request.method, SpanKind.CLIENT, attributes, active));
  });
  on('headers', (request, { response }) => {
    spans.get(request)?.setAttribute('http.response.status_code', (response as { statusCode: number }).statusCode);
  });
  on('trailers', (request) => spans.get(request)?.end());
  on('error', (request, { error }) => {
    const span = spans.get(request);
    if (span !== undefined) failSpan(span, error);
  });
}
