import { sha256Digest, type Sha256Digest } from '@launch/contracts/primitives';
import type { FastifyReply } from 'fastify';
import type { AnswerSigner } from '../signatures/answer-signer.js';
import { JSON_CONTENT, sendCacheable, sendJsonBytes } from './send-json.js';

/** The additional headers of answers from signed routes, with their descriptions. */
export const SIGNED_HEADERS = {
  'Content-Digest': 'SHA-256 digest of the response body (RFC 9530).',
  'Signature-Input': 'The signed components and the key (RFC 9421). Absent if the deployment does not sign responses.',
  Signature: 'Ed25519 over the status, content type, content digest, and the path and query of the request.',
};

const tags = new WeakMap<Uint8Array, Sha256Digest>();

/** Returns the digest of repeatedly sent bytes as their entity tag. */
export function tagOf(bytes: Uint8Array): Sha256Digest {
  let tag = tags.get(bytes);
  if (tag === undefined) tags.set(bytes, (tag = sha256Digest(bytes)));
  return tag;
}

/**
 * Sends canonical JSON that a mirror may serve too: with its digest and, if the deployment has a key, a signature.
 * @param page.bytes must not change any more; use the same memory for the same answer, because digest and signature are
 * cached with it
 * @param page.path of the route as declared
 * @param page.hasTag false for routes whose answers have no entity tag
 */
export function sendSigned(
  reply: FastifyReply,
  signer: AnswerSigner,
  page: {
    readonly bytes: Uint8Array;
    readonly path: string;
    readonly cacheControl: string;
    readonly hasTag: boolean;
  },
): void {
  const { bytes: body, path, cacheControl, hasTag } = page;
  const headers = signer.headersOf(body, { contentType: JSON_CONTENT, path, target: reply.request.url });
  reply.header('vary', 'Accept');
  if (hasTag) return sendCacheable(reply, { etag: tagOf(body), cacheControl, body, headers });
  reply.header('cache-control', cacheControl).headers(headers);
  sendJsonBytes(reply, body);
}
