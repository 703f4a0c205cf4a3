import type { Sha256Digest } from '@launch/contracts/primitives';
import { sendCacheable } from '@launch/http';
import type { FastifyReply } from 'fastify';

/** JSON in its exact bytes, and their digest. */
export interface PublicDocument {
  readonly bytes: Uint8Array;
  readonly sha256: Sha256Digest;
}

/** The `Cache-Control` of bytes that a path names by their digest. */
export const IMMUTABLE = 'public, max-age=31536000, immutable';

/** Sends public JSON with its digest as entity tag; 304 to clients that have it. */
export function sendPublicJson(reply: FastifyReply, { bytes, sha256 }: PublicDocument, cacheControl: string): void {
  reply.header('vary', 'Accept');
  sendCacheable(reply, { etag: sha256, cacheControl, body: bytes });
}
