// Serves the website: its files under `/assets`, and its pages rendered from public routes of the gateway.
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import path from 'node:path';
import { createRequestListener } from '@react-router/node';
import compression from 'compression';
import * as build from 'virtual:react-router/server-build';
import sirv from 'sirv';
import { watchParent } from '@launch/platform/processes';
import { Readiness } from '@launch/platform/readiness';
import { ApiClient } from '@launch/sdk/operations';

import { readConfiguration } from './site.config.js';
import { forwarding } from './forward.js';
import { siteListener } from './site-listener.js';
import { readinessChecks } from './readiness-checks.js';
import { naming, type Visitor } from './visitor.js';
import { VisitorBounds } from './visitor-bounds.js';

const CLIENT = path.resolve(import.meta.dirname, '../client');
/** Timeout of one response of the gateway that a page waits for. */
const READ_MS = 10_000;
/** Timeout of all of them together. */
const PAGE_MS = 15_000;
const DRAIN_MS = 10_000;
const NONCE_BYTES = 16;
const CONNECTIONS = 4_096;
const HEADERS = 64;

const say = (message: string, fields: Readonly<Record<string, unknown>> = {}): void => {
  process.stdout.write(`${JSON.stringify({ level: 'info', service: 'site', msg: message, ...fields })}\n`);
};

const { host, port, gatewayUrl, trustedProxies, publicSettings } = readConfiguration(process.env);

/** The page that is being rendered. React Router hands its loaders the request without its connection. */
const visits = new AsyncLocalStorage<{ readonly visitor: Visitor; readonly signal: AbortSignal }>();
const listener = createRequestListener({
  build,
  mode: 'production',
  getLoadContext: () => {
    const visit = visits.getStore();
    if (visit === undefined) throw new TypeError('a page is rendered for a visit');
    return {
      settings: publicSettings,
      api: new ApiClient(gatewayUrl, {
        bounds: { readMs: READ_MS },
        headers: naming(visit.visitor),
        signal: visit.signal,
        isNetworkPrivate: true,
      }),
      nonce: randomBytes(NONCE_BYTES).toString('base64'),
    };
  },
});

const readiness = new Readiness(readinessChecks(gatewayUrl, publicSettings.siteUrl));
const compress = compression();
const files = sirv(CLIENT, {
  etag: true,
  setHeaders: (response, pathname) => {
    response.setHeader('X-Content-Type-Options', 'nosniff');
    if (pathname.startsWith('/assets/')) response.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
  },
});

const server = createServer(
  { maxHeaderSize: 16 * 1024, headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 10_000 },
  siteListener({
    trustedProxies,
    bounds: new VisitorBounds(),
    readiness,
    forward: forwarding(gatewayUrl),
    serveFile: (request, response, next) => {
      compress(request as never, response as never, () => files(request, response, next));
    },
    renderPage: (request, response, visitor) => {
      const left = new AbortController();
      response.once('close', () => left.abort());
      const signal = AbortSignal.any([left.signal, AbortSignal.timeout(PAGE_MS)]);
      void visits.run({ visitor, signal }, () => listener(request, response));
    },
  }),
);
server.maxConnections = CONNECTIONS;
server.maxHeadersCount = HEADERS;
server.listen(port, host, () => {
  const address = server.address();
  say('ready', { port: typeof address === 'object' && address !== null ? address.port : port });
});

function stop(): void {
  say('draining');
  readiness.drain();
  server.close(() => process.exit(0));
  server.closeIdleConnections();
  setTimeout(() => server.closeAllConnections(), DRAIN_MS).unref();
}
process.once('SIGTERM', stop).once('SIGINT', stop);
watchParent(stop);
