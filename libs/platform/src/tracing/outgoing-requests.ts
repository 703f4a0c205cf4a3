import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { context, SpanKind, trace, type Span } from '@opentelemetry/api';
import { isTracingSuppressed } from '@opentelemetry/core';
import { beginSpan, failSpan } from './spans.js';

/** The parts of a request of Node's `fetch` that are published when it is sent. */
interface Fetched {
  readonly origin: string | URL;
  readonly method: string;
}

/**
 * Traces every outgoing HTTP request under an active span: those of `fetch`, and those of `node:http`, by which services
 * call the endpoints of chains. A span has the host alone, since the path of an endpoint may be a key.
 */
export function traceOutgoingRequests(): void {
  traceFetch();
  traceNodeRequests();
}

/** Begins the span of a request. Returns undefined where no trace is active. */
function begin(method: string, host: { readonly hostname: string; readonly port: string }): Span | undefined {
  const active = context.active();
  if (isTracingSuppressed(active) || trace.getSpan(active) === undefined) return undefined;
  const attributes = {
    'http.request.method': method,
    'server.address': host.hostname,
    ...(host.port === '' ? {} : { 'server.port': Number(host.port) }),
  };
  return beginSpan(method, SpanKind.CLIENT, attributes, active);
}

function traceFetch(): void {
  const spans = new WeakMap<object, Span>();
  const on = (channel: string, handle: (request: Fetched, message: Readonly<Record<string, unknown>>) => void): void =>
    subscribe(`undici:request:${channel}`, (message) => {
      const fields = message as Readonly<Record<string, unknown>>;
      handle(fields['request'] as Fetched, fields);
    });
  on('create', (request) => {
    const span = begin(request.method, new URL(request.origin));
    if (span !== undefined) spans.set(request, span);
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

function traceNodeRequests(): void {
  const spans = new WeakMap<object, Span>();
  subscribe('http.client.request.start', (message) => {
    const { request } = message as { readonly request: ClientRequest };
    const host = URL.parse(`${request.protocol}//${String(request.getHeader('host') ?? request.host)}`);
    const span = begin(request.method, host ?? { hostname: request.host, port: '' });
    if (span !== undefined) spans.set(request, span);
  });
  subscribe('http.client.response.finish', (message) => {
    const { request, response } = message as { readonly request: ClientRequest; readonly response: IncomingMessage };
    spans
      .get(request)
      ?.setAttribute('http.response.status_code', response.statusCode ?? 0)
      .end();
    spans.delete(request);
  });
  subscribe('http.client.request.error', (message) => {
    const { request, error } = message as { readonly request: ClientRequest; readonly error: unknown };
    const span = spans.get(request);
    if (span !== undefined) failSpan(span, error);
    spans.delete(request);
  });
}
