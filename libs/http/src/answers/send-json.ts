import { canonicalizeJson } from '@launch/contracts/json';
import type { FastifyReply } from 'fastify';

export const JSON_CONTENT = 'application/json; charset=utf-8';

/** Sends a value as canonical JSON, so that equal answers are equal bytes. Omits members that are `undefined`. */
export function sendJson(reply: FastifyReply, value: object, mediaType = 'application/json'): void {
  const defined = Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined));
  sendJsonBytes(reply, canonicalizeJson(defined), mediaType);
}

/** Sends previously serialized canonical JSON. */
export function sendJsonBytes(reply: FastifyReply, bytes: Uint8Array, mediaType = 'application/json'): void {
  reply.header('content-type', `${mediaType}; charset=utf-8`).send(asBuffer(bytes));
}

/** Returns the same memory in the form that Fastify accepts. */
const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Sets the headers of an answer that belongs to one owner. */
export function markPrivate(reply: FastifyReply): void {
  reply.header('cache-control', 'private, no-store').header('vary', 'Accept, Authorization');
}

/** Sends a value as an answer that belongs to one owner. */
export function sendPrivateJson(reply: FastifyReply, value: object): void {
  markPrivate(reply);
  sendJson(reply, value);
}

/** Sets status and headers of the answer to a create: `created` for a new resource, 200 for a replay. */
export function markCreated(
  reply: FastifyReply,
  { replayed, location }: { readonly replayed: boolean; readonly location: string },
  created: 201 | 202 = 202,
): void {
  reply.code(replayed ? 200 : created).header('location', location);
  if (replayed) reply.header('idempotency-replayed', 'true');
}

/**
 * Sends bytes that a cache may store: with a strong `ETag`, and as 304 if the client has them already.
 * @param etag the entity tag without quotes.
 */
export function sendCacheable(
  reply: FastifyReply,
  options: {
    readonly etag: string;
    /** JSON by default. */
    readonly mediaType?: string;
    readonly cacheControl: string;
    readonly body: Uint8Array;
    /** Headers of the content; a 304 has no content and omits them. */
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
    .header('content-type', options.mediaType ?? JSON_CONTENT)
    .send(asBuffer(options.body));
}

/** Compares `If-None-Match` weakly (RFC 9110, 13.1.2). */
function matchesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === tag);
}
