import http from 'node:http';
import https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { SignerError } from './signer.errors.js';

/** PEM texts: the certificates that sign the server's, and the client's certificate with its key. */
export interface ClientTls {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

export interface BoundedHttp {
  get(path: string, maxBytes: number): Promise<string>;
  post(path: string, body: unknown, maxBytes: number): Promise<string>;
}

const ATTEMPTS = 3;
const PAUSE_MS = 150;

/**
 * Creates the client of one remote signer. Each call has one deadline over at most three attempts, and a bounded answer.
 * Repeats what may pass: failed connections, 429 and 5xx. Follows no redirect. Throws SignerError without any text of
 * the server.
 */
export function createBoundedHttp(options: {
  readonly url: string;
  readonly timeoutMs: number;
  readonly tls: ClientTls | undefined;
}): BoundedHttp {
  const base = new URL(options.url);
  const isTls = base.protocol === 'https:';
  const agent = isTls ? new https.Agent({ keepAlive: true, ...options.tls }) : new http.Agent({ keepAlive: true });
  const prefix = base.pathname.replace(/\/$/, '');

  const attempt = (
    method: string,
    path: string,
    body: string,
    maxBytes: number,
    signal: AbortSignal,
  ): Promise<string> =>
    new Promise((resolve, reject) => {
      const request = (isTls ? https : http).request(
        {
          host: base.hostname.replace(/^\[|\]$/g, ''),
          port: base.port,
          path: `${prefix}${path}`,
          method,
          agent,
          signal,
          headers: { accept: '*/*', 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
        },
        (response) => {
          const { statusCode = 0 } = response;
          if (statusCode !== 200) {
            response.destroy();
            const isPassing = statusCode === 429 || statusCode >= 500;
            reject(new SignerError(isPassing ? 'SIGNER_UNAVAILABLE' : 'SIGNER_REFUSED', `HTTP ${statusCode}`));
            return;
          }
          collect(response, maxBytes).then(resolve, reject);
        },
      );
      request.once('error', (error: NodeJS.ErrnoException) =>
        reject(new SignerError('SIGNER_UNAVAILABLE', error.code)),
      );
      request.end(body);
    });

  async function call(method: string, path: string, body: string, maxBytes: number): Promise<string> {
    const signal = AbortSignal.timeout(options.timeoutMs);
    for (let made = 1; ; made += 1)
      try {
        return await attempt(method, path, body, maxBytes, signal);
      } catch (error) {
        const mayRepeat = error instanceof SignerError && error.code === 'SIGNER_UNAVAILABLE';
        if (!mayRepeat || made === ATTEMPTS || !(await paused(PAUSE_MS * made, signal))) throw error;
      }
  }

  return {
    get: (path, maxBytes) => call('GET', path, '', maxBytes),
    post: (path, body, maxBytes) => call('POST', path, JSON.stringify(body), maxBytes),
  };
}

/** Returns false if the deadline came first. */
const paused = (ms: number, signal: AbortSignal): Promise<boolean> =>
  sleep(ms, undefined, { signal }).then(
    () => true,
    () => false,
  );

async function collect(response: http.IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      length += chunk.byteLength;
      if (length > maxBytes) throw new SignerError('SIGNER_UNAVAILABLE', 'answer too long');
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof SignerError
      ? error
      : new SignerError('SIGNER_UNAVAILABLE', (error as NodeJS.ErrnoException).code);
  }
  return Buffer.concat(chunks).toString('latin1');
}
