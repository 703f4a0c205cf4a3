import { sha256Digest } from '@launch/contracts';
import { canonicalizeJson } from '@launch/contracts/json';
import { sendCacheable } from '@launch/http';
import type { FastifyReply } from 'fastify';

const tags = new WeakMap<Uint8Array, string>();

/** The digest of bytes that are sent again and again. */
function tagOf(bytes: Uint8Array): string {
  let tag = tags.get(bytes);
  if (tag === undefined) tags.set(bytes, (tag = sha256Digest(bytes)));
  return tag;
}

/** Bytes of an index read with their digest as entity tag; 304 for who holds them already. */
export function sendIndexed(reply: FastifyReply, body: Uint8Array | object, cacheControl = 'public, max-age=5'): void {
  const bytes = body instanceof Uint8Array ? body : canonicalizeJson(body);
  reply.header('vary', 'Accept');
  sendCacheable(reply, { etag: tagOf(bytes), mediaType: 'application/json; charset=utf-8', cacheControl, body: bytes });
}
