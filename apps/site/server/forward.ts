import { request as askHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { request as askHttps } from 'node:https';

const ANSWER_MS = 30_000;
/** Headers that belong to one connection (RFC 9110, 7.6.1). */
const OF_CONNECTION = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
/** A public read needs no other header. Credentials stay here. */
const FORWARDED = ['accept', 'accept-encoding', 'if-none-match', 'origin', 'user-agent'];

const plain = (headers: IncomingMessage['headers']): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || OF_CONNECTION.has(name) ? [] : [[name, value]],
    ),
  );

/**
 * Returns a handler that answers the public reads below `/api/` with the gateway's bytes, so that the site's origin has them too
 * (docs/reference/index-reads.md). It forwards `GET` and `HEAD` only, and names the visitor's address to the gateway's rate limit.
 */
export function forwarding(gatewayUrl: string): (request: IncomingMessage, response: ServerResponse) => void {
  const ask = gatewayUrl.startsWith('https:') ? askHttps : askHttp;
  return (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { Allow: 'GET, HEAD' }).end();
      return;
    }
    const headers: Record<string, string | string[]> = { 'x-forwarded-for': visitorOf(request) };
    for (const name of FORWARDED) {
      const value = request.headers[name];
      if (value !== undefined) headers[name] = value;
    }
    const asked = ask(
      new URL(request.url ?? '/', gatewayUrl),
      { method: request.method, headers, timeout: ANSWER_MS },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, plain(answer.headers));
        answer.pipe(response);
        answer.on('error', () => response.destroy());
      },
    );
    asked.on('timeout', () => asked.destroy(new Error('the gateway did not answer in time')));
    asked.on('error', () => {
      if (response.headersSent) response.destroy();
      else
        response.writeHead(502, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }).end(UNREACHABLE);
    });
    response.on('close', () => asked.destroy());
    asked.end();
  };
}

const UNREACHABLE = JSON.stringify({
  error: { code: 'GATEWAY_UNREACHABLE', message: 'The site cannot reach the API. Try again later.', retryable: true },
});

/** Returns the addresses that the request came through, the visitor's first. */
export function visitorOf({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): string {
  const before = headers['x-forwarded-for'];
  const named = Array.isArray(before) ? before.join(', ') : before;
  return [named, socket.remoteAddress].filter((one) => one !== undefined && one !== '').join(', ');
}
