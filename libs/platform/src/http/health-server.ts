import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import type { Readiness } from './readiness.js';
import { measureReadiness } from './readiness-metrics.js';

export interface HealthServerOptions {
  host: string;
  /** 0 requests a free port. */
  port: number;
  readiness: Readiness;
  metrics: Registry;
}

export interface HealthServer {
  host: string;
  port: number;
  close(): Promise<void>;
}

const MAX_CONNECTIONS = 64;
const REQUEST_TIMEOUT_MS = 5_000;
const MAX_HEADER_BYTES = 8 * 1024;

/**
 * Starts a process's operator-only server for `/healthz` (the process runs), `/readyz` (it can work; 503 otherwise) and
 * `/metrics` (Prometheus), which includes the readiness. Accepts only GET and HEAD without bodies and queries; bounds connections, headers and times.
 */
export async function startHealthServer(options: HealthServerOptions): Promise<HealthServer> {
  measureReadiness(options.readiness, options.metrics);
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      requestTimeout: REQUEST_TIMEOUT_MS,
      headersTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: 1_000,
    },
    (request, response) => {
      answer(request, response, options).catch(() => {
        if (response.headersSent) response.destroy();
        else sendJson(response, request.method, 500, { status: 'error' });
      });
    },
  );
  server.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const { port } = server.address() as AddressInfo;
  return {
    host: options.host,
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, options: HealthServerOptions): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD');
    return sendJson(response, request.method, 405, { status: 'method not allowed' });
  }
  switch (request.url) {
    case '/healthz':
      return sendJson(response, request.method, 200, { status: 'ok' });
    case '/readyz': {
      const report = await options.readiness.report();
      return sendJson(response, request.method, report.status === 'ready' ? 200 : 503, report);
    }
    case '/metrics':
      return send(response, request.method, 200, options.metrics.contentType, await options.metrics.metrics());
    default:
      return sendJson(response, request.method, 404, { status: 'not found' });
  }
}

const sendJson = (response: ServerResponse, method: string | undefined, status: number, body: object): void =>
  send(response, method, status, 'application/json', JSON.stringify(body));

function send(response: ServerResponse, method: string | undefined, status: number, type: string, body: string): void {
  response.writeHead(status, {
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
  });
  response.end(method === 'HEAD' ? undefined : body);
}
