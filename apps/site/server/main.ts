// Serves the website: its files under `/assets`, and its pages rendered from public routes of the gateway.
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import path from 'node:path';
import { createRequestListener } from '@react-router/node';
import compression from 'compression';
import * as build from 'virtual:react-router/server-build';
import sirv from 'sirv';
import { watchParent } from '@launch/platform/processes';
import { ApiClient } from '@launch/sdk/operations';

import { readConfiguration } from './site.config.js';
import { forwarding } from './forward.js';

const CLIENT = path.resolve(import.meta.dirname, '../client');
/** Responses of the gateway that a page waits for. */
const READ_MS = 10_000;
const DRAIN_MS = 10_000;
const NONCE_BYTES = 16;

const say = (message: string, fields: Readonly<Record<string, unknown>> = {}): void => {
  process.stdout.write(`${JSON.stringify({ level: 'info', service: 'site', msg: message, ...fields })}\n`);
};

const { host, port, gatewayUrl, publicSettings } = readConfiguration(process.env);
const listener = createRequestListener({
  build,
  mode: 'production',
  getLoadContext: () => ({
    settings: publicSettings,
    api: new ApiClient(gatewayUrl, { bounds: { readMs: READ_MS } }),
    nonce: randomBytes(NONCE_BYTES).toString('base64'),
  }),
});

const compress = compression();
const forwardApi = forwarding(gatewayUrl);
const files = sirv(CLIENT, {
  etag: true,
  setHeaders: (response, pathname) => {
    response.setHeader('X-Content-Type-Options', 'nosniff');
    if (pathname.startsWith('/assets/')) response.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
  },
});

const server = createServer((request, response) => {
  // The pages say themselves that the gateway does not answer, so the site is ready without it.
  if (request.url === '/healthz' || request.url === '/readyz') {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }).end('{"status":"ok"}');
    return;
  }
  if (request.url?.startsWith('/api/') === true) {
    forwardApi(request, response);
    return;
  }
  compress(request as never, response as never, () => {
    files(request, response, () => {
      void listener(request, response);
    });
  });
});
server.requestTimeout = 30_000;
server.listen(port, host, () => {
  const address = server.address();
  say('ready', { port: typeof address === 'object' && address !== null ? address.port : port });
});

function stop(): void {
  say('draining');
  server.close(() => process.exit(0));
  server.closeIdleConnections();
  setTimeout(() => server.closeAllConnections(), DRAIN_MS).unref();
}
process.once('SIGTERM', stop).once('SIGINT', stop);
watchParent(stop);
