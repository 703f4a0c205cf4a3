import { canonicalizeJson } from '@launch/contracts/json';
import { sendCacheable, tagOf } from '@launch/http';
import type { FastifyReply } from 'fastify';

/** Sends the bytes of an index read with their digest as entity tag; 304 to clients that have them. */
export function sendIndexed(reply: FastifyReply, body: Uint8Array | object, cacheControl = 'public, max-age=5'): void {
  const bytes = body instanceof Uint8Array ? body : canonicalizeJson(body);
  reply.header('vary', 'Accept');
  sendCacheable(reply, { etag: tagOf(bytes), mediaType: 'application/json; charset=utf-8', cacheControl, body: bytes });
}
