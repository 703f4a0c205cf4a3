import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Readiness } from '@launch/platform/readiness';
import type { Forward } from './forward.js';
import { visitorOf, type Visitor } from './visitor.js';
import type { VisitorBounds } from './visitor-bounds.js';

/** The longest response, to a visitor that reads slowly. */
const RESPONSE_MS = 60_000;
const BUSY_SECONDS = 1;

export interface SiteParts {
  readonly trustedProxies: number;
  readonly bounds: VisitorBounds;
  readonly readiness: Pick<Readiness, 'report'>;
  readonly forward: Forward;
  /** Serves a file of the build, or calls `next`. */
  readonly serveFile: (request: IncomingMessage, response: ServerResponse, next: () => void) => void;
  readonly renderPage: (request: IncomingMessage, response: ServerResponse, visitor: Visitor) => void;
}

/**
 * Returns the listener of the site: health, public reads of the gateway, files, and pages. Each visitor has a quota of pages and
 * a share of the responses in progress.
 */
export function siteListener(parts: SiteParts): RequestListener {
  const { trustedProxies, bounds, forward, serveFile, renderPage } = parts;
  return (request, response) => {
    const { url = '/' } = request;
    if (url === '/healthz') return json(response, 200, { status: 'ok' });
    if (url === '/readyz') return void answerReadiness(parts.readiness, response);
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD');
      return refuse(response, 405, 'The site answers GET and HEAD only.');
    }
    if (hasBody(request)) return refuse(response, 413, 'A request to the site has no body.');
    const visitor = visitorOf(request, trustedProxies);
    if (url.startsWith('/api/')) {
      if (takePlace(bounds, visitor, response)) forward(request, response, visitor);
      return undefined;
    }
    return serveFile(request, response, () => {
      const wait = bounds.countPage(visitor.key);
      if (wait !== null) {
        response.setHeader('Retry-After', String(wait));
        return refuse(response, 429, 'You opened many pages in a short time. Wait a few seconds, then reload.');
      }
      if (takePlace(bounds, visitor, response)) renderPage(request, response, visitor);
      return undefined;
    });
  };
}

async function answerReadiness(readiness: SiteParts['readiness'], response: ServerResponse): Promise<void> {
  const report = await readiness.report();
  json(response, report.status === 'ready' ? 200 : 503, report);
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;

/** Takes a place until the response ends, or refuses the request. */
function takePlace(bounds: VisitorBounds, { key }: Visitor, response: ServerResponse): boolean {
  const leave = bounds.enter(key);
  if (leave === null) {
    response.setHeader('Retry-After', String(BUSY_SECONDS));
    refuse(response, 503, 'The site is busy. Reload the page in a few seconds.');
    return false;
  }
  const late = setTimeout(() => response.destroy(), RESPONSE_MS);
  late.unref();
  response.once('close', () => {
    clearTimeout(late);
    leave();
  });
  return true;
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  response.end(JSON.stringify(body));
}

/** Refuses in plain text. The connection of a refused body is not used again, so that its bytes are not read. */
function refuse(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...(status === 413 || status === 405 ? { Connection: 'close' } : {}),
  });
  response.end(`${text}\n`);
}
