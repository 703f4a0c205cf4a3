import { request as askHttp, type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { request as askHttps } from 'node:https';
import { naming, type Visitor } from './visitor.js';

/** Timeout of a response of the gateway, to its last byte. */
const ANSWER_MS = 30_000;
/** More than the largest public read. */
const ANSWER_BYTES = 16 * 1024 * 1024;
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
const PUBLIC_READS = '/api/';

const plain = (headers: IncomingMessage['headers']): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || OF_CONNECTION.has(name) ? [] : [[name, value]],
    ),
  );

export type Forward = (request: IncomingMessage, response: ServerResponse, visitor: Visitor) => void;

/**
 * Returns a handler that answers the public reads below `/api/` with the gateway's bytes, so that the site's origin has them too
 * (docs/reference/index-reads.md). It names the visitor's address to the gateway's rate limit.
 */
export function forwarding(gatewayUrl: string): Forward {
  const ask = gatewayUrl.startsWith('https:') ? askHttps : askHttp;
  return (request, response, visitor) => {
    const url = new URL(request.url ?? '/', gatewayUrl);
    // Dot segments lead out of the public reads.
    if (!url.pathname.startsWith(PUBLIC_READS)) {
      response.writeHead(404, JSON_HEAD).end(NOT_FOUND);
      return;
    }
    const headers: Record<string, string | string[]> = naming(visitor);
    for (const name of FORWARDED) {
      const value = request.headers[name];
      if (value !== undefined) headers[name] = value;
    }
    const signal = AbortSignal.timeout(ANSWER_MS);
    let asked: ClientRequest;
    const send = (mayRepeat: boolean): void => {
      asked = ask(url, { method: request.method, headers, signal }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, plain(answer.headers));
        let length = 0;
        answer.on('data', (chunk: Buffer) => {
          length += chunk.length;
          if (length > ANSWER_BYTES) asked.destroy(new Error(`the answer is larger than ${ANSWER_BYTES} bytes`));
        });
        answer.pipe(response);
        answer.on('error', () => response.destroy());
      });
      asked.on('error', () => {
        if (response.headersSent || response.destroyed) response.destroy();
        // The gateway closed the connection as this read was sent on it. A read can be repeated (RFC 9110, 9.2.2).
        else if (mayRepeat && asked.reusedSocket) send(false);
        else response.writeHead(502, JSON_HEAD).end(UNREACHABLE);
      });
      asked.end();
    };
    send(true);
    response.on('close', () => asked.destroy());
  };
}

const JSON_HEAD = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };
const UNREACHABLE = JSON.stringify({
  error: { code: 'GATEWAY_UNREACHABLE', message: 'The site cannot reach the API. Try again later.', retryable: true },
});
const NOT_FOUND = JSON.stringify({
  error: { code: 'NOT_FOUND', message: 'The site forwards the paths below /api/ only.', retryable: false },
});
