import { webcrypto } from 'node:crypto';
import { sha256Digest, type Sha256Digest } from '@launch/contracts/primitives';

/** The length in bytes up to which hashing inline is faster than another thread. */
const INLINE_BYTES = 256 * 1024;

/**
 * Computes the digest that names bytes. Hashes large content on a thread of Node's pool, so that a server keeps
 * answering.
 * @param bytes must not change until the promise resolves.
 */
export async function contentDigest(bytes: Uint8Array<ArrayBuffer>): Promise<Sha256Digest> {
  if (bytes.byteLength <= INLINE_BYTES) return sha256Digest(bytes);
  return `sha256:${Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes)).toString('hex')}`;
}
