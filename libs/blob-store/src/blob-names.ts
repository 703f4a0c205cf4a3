import { isSha256Digest, type Sha256Digest } from '@launch/contracts/primitives';
import { BlobError } from './blob.errors.js';

/** Largest content that a store accepts by default: twice the largest request body. */
export const DEFAULT_MAX_BYTES = 32 * 1024 * 1024;
/** The most contents in one query about which are needed. */
export const NAMES_AT_ONCE = 500;
const OWNER_FORM = /^[a-z0-9-]{1,64}$/;

/** Returns the 64 hexadecimal digits of a digest. @throws BlobError `BLOB_NAME_INVALID` */
export function hexOf(digest: Sha256Digest): string {
  if (!isSha256Digest(digest)) throw new BlobError('BLOB_NAME_INVALID');
  return digest.slice('sha256:'.length);
}

/** Returns the owner of temporary bytes if it has the documented form. @throws BlobError `BLOB_NAME_INVALID` */
export function ownerOf(digest: Sha256Digest, owner: string): string {
  if (!OWNER_FORM.test(owner)) throw new BlobError('BLOB_NAME_INVALID', { digest });
  return owner;
}
