import { webcrypto } from 'node:crypto';
import { sha256Digest, type Sha256Digest } from '@launch/contracts/primitives';

/** Content up to this long is hashed sooner than another thread is asked. */
const INLINE_BYTES = 256 * 1024;

/**
 * The digest that names bytes. That of large ones is worked out on a thread of Node's pool, so that a program that answers
 * others meanwhile does not stop for it.
 * @param bytes are left alone until it is there.
 */
export async function contentDigest(bytes: Uint8Array<ArrayBuffer>): Promise<Sha256Digest> {
  if (bytes.byteLength <= INLINE_BYTES) return sha256Digest(bytes);
  return `sha256:${Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes)).toString('hex')}`;
}
