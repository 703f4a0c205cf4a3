import { BlobError, type BlobReader } from '@launch/blob-store';
import type { Sha256Digest } from '@launch/contracts/primitives';
import { CustodyError } from './custody.error.js';

/** Reads stored bytes by their hash. Throws CustodyError `BYTES_UNREADABLE` for absent or damaged bytes. */
export type ReadBytes = (digest: Sha256Digest) => Promise<Uint8Array>;

export const createBytesReader =
  (blobs: BlobReader): ReadBytes =>
  async (digest) => {
    try {
      return await blobs.get(digest);
    } catch (cause) {
      if (cause instanceof BlobError) throw new CustodyError('BYTES_UNREADABLE', { cause });
      throw cause;
    }
  };
