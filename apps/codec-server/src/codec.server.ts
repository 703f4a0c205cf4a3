import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Logger } from '@launch/platform';
import { EncryptingCodec } from '@launch/temporal';
import { ApplicationFailure } from '@temporalio/common';
import { ZodError } from 'zod';
import { AccessRefusedError, type CheckAccess } from './access-token.js';
import type { CodecConfig } from './config.js';
import { convertPayloads } from './payloads.js';

const MAX_BODY_BYTES = 8 << 20;
const MAX_HEADER_BYTES = 16 << 10;
const MAX_CONNECTIONS = 256;
const REQUEST_MS = 15_000;

/** Reports a request that the server refuses before it reads a payload. */
class RefusedRequest extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

export interface CodecParts {
  readonly config: Pick<CodecConfig, 'TEMPORAL_UI_ORIGIN' | 'CODEC_KEY_FILES'>;
  readonly checkAccess: CheckAccess;
  readonly logger: Logger;
}

/**
 * Creates the server of Temporal's remote codec protocol: `POST /encode` and `POST /decode` with the namespace in
 * `X-Namespace` and an access token in `Authorization`. Only pages of the Temporal UI may call it from a browser.
 */
export function createCodecServer({ config, checkAccess, logger }: CodecParts): Server {
  const codecs = new Map(
    [...config.CODEC_KEY_FILES].map(([namespace, keys]) => [namespace, new EncryptingCodec(namespace, keys.reveal())]),
  );

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('Access-Control-Allow-Origin', config.TEMPORAL_UI_ORIGIN);
    response.setHeader('Vary', 'Origin');
    if (request.method === 'OPTIONS') {
      response.setHeader('Access-Control-Allow-Methods', 'POST');
      response.setHeader('Access-Control-Allow-Headers', 'authorization, content-type, x-namespace');
      response.writeHead(204, { 'Access-Control-Max-Age': '600' }).end();
      return;
    }
    const direction = { '/encode': 'encode', '/decode': 'decode' }[request.url ?? ''] as
      | 'encode'
      | 'decode'
      | undefined;
    if (direction === undefined) throw new RefusedRequest(404, 'the paths are /encode and /decode');
    if (request.method !== 'POST') throw new RefusedRequest(405, 'the method must be POST');
    await checkAccess(request.headers.authorization);
    const namespace = request.headers['x-namespace'];
    const codec = typeof namespace === 'string' ? codecs.get(namespace) : undefined;
    if (codec === undefined) throw new RefusedRequest(404, 'X-Namespace must name a namespace of CODEC_KEY_FILES');
    send(response, 200, await convertPayloads(codec, direction, await bodyOf(request)));
  }

  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES, requestTimeout: REQUEST_MS }, (request, response) => {
    answer(request, response).catch((error: unknown) => {
      const { status, message } = refusalOf(error);
      if (status >= 500) logger.error({ err: error }, 'the codec server failed');
      if (response.headersSent) response.destroy();
      else send(response, status, { message });
    });
  });
  server.maxConnections = MAX_CONNECTIONS;
  return server;
}

function refusalOf(error: unknown): { readonly status: number; readonly message: string } {
  if (error instanceof RefusedRequest || error instanceof AccessRefusedError)
    return { status: error.status, message: error.message };
  if (error instanceof ApplicationFailure) return { status: 422, message: `${error.type}: ${error.message}` };
  if (error instanceof ZodError || error instanceof SyntaxError)
    return { status: 400, message: 'the body must be {"payloads":[{"metadata":{…},"data":"…"}]} with base64 values' };
  return { status: 503, message: 'the access token cannot be checked now' };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new RefusedRequest(413, 'the body is larger than 8 MiB');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function send(response: ServerResponse, status: number, body: object): void {
  response
    .writeHead(status, {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    })
    .end(JSON.stringify(body));
}
