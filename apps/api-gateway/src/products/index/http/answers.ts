import { canonicalizeJson } from '@launch/contracts/json';
import { tagOf } from '@launch/http';
import type { FastifyReply } from 'fastify';
import { sendPublicJson } from '../../../platform/http/public-answer.js';

/** Sends the bytes of an index read with their digest as entity tag; 304 to clients that have them. */
export function sendIndexed(reply: FastifyReply, body: Uint8Array | object, cacheControl = 'public, max-age=5'): void {
  const bytes = body instanceof Uint8Array ? body : canonicalizeJson(body);
  sendPublicJson(reply, { bytes, sha256: tagOf(bytes) }, cacheControl);
}
