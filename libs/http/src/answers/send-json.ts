import { canonicalizeJson } from '@launch/contracts/json';
import type { FastifyReply } from 'fastify';

/** Sends a value as canonical JSON: equal answers are equal bytes. Members that are `undefined` are left out. */
export function sendJson(reply: FastifyReply, value: object, mediaType = 'application/json'): void {
  const defined = Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined));
  sendJsonBytes(reply, canonicalizeJson(defined), mediaType);
}

/** Sends canonical JSON that was written before. */
export function sendJsonBytes(reply: FastifyReply, bytes: Uint8Array, mediaType = 'application/json'): void {
  reply.header('content-type', `${mediaType}; charset=utf-8`).send(asBuffer(bytes));
}

/** The same memory, as Fastify takes it. */
const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Headers of an answer that belongs to one owner. */
export function markPrivate(reply: FastifyReply): void {
  reply.header('cache-control', 'private, no-store').header('vary', 'Accept, Authorization');
}

/**
 * Sends bytes that a cache may keep: strong `ETag`, and 304 when the client holds them already.
 * @param etag the entity tag without quotes.
 */
export function sendCacheable(
  reply: FastifyReply,
  options: {
    readonly etag: string;
    readonly mediaType: string;
    readonly cacheControl: string;
    readonly body: Uint8Array;
    /** Of the content: 304 has none, and so none of them. */
    readonly headers?: Readonly<Record<string, string>>;
  },
): void {
  const quoted = `"${options.etag}"`;
  reply.header('etag', quoted).header('cache-control', options.cacheControl);
  if (matchesTag(reply.request.headers['if-none-match'], quoted)) {
    reply.code(304).send();
    return;
  }
  reply
    .headers(options.headers ?? {})
    .header('content-type', options.mediaType)
    .send(asBuffer(options.body));
}

/** `If-None-Match` compares weakly (RFC 9110, 13.1.2). */
function matchesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === tag);
}
