import type { Sha256Digest } from '@launch/contracts/primitives';

/** The read side of content-addressed bytes, for a service that must not write (custody). */
export interface BlobReader {
  /**
   * Returns the bytes of that content after hashing them again. Searches the kept blobs first, then the temporary ones.
   * Throws BlobError `BLOB_ABSENT`, `BLOB_CORRUPT`, `BLOB_TOO_LARGE`, `BLOB_NAME_INVALID`, `BLOB_IO` or
   * `BLOB_UNAVAILABLE`.
   */
  get(digest: Sha256Digest): Promise<Uint8Array>;
  /** Reports whether content is stored under that name, kept or temporary. Does not check its integrity. */
  has(digest: Sha256Digest): Promise<boolean>;
}

/** Bytes with the digest that names them. */
export interface NamedBlob {
  readonly bytes: Uint8Array;
  readonly digest: Sha256Digest;
}

/** Content-addressed bytes. Once `put` resolves, the bytes survive a crash of the machine. */
export interface BlobStore extends BlobReader {
  /**
   * Stores bytes permanently. Idempotent; replaces a corrupt copy of the same content.
   * @param digest the name of these bytes, from a caller that has hashed them and does not change them until they are
   * stored. Without it, the store copies and hashes them.
   */
  put(bytes: Uint8Array, digest?: Sha256Digest): Promise<Sha256Digest>;
  /**
   * Stores several blobs permanently, much faster than one after the other. Idempotent like `put`; after a failure,
   * some may be stored. Callers have hashed the bytes and do not change them until they are stored.
   */
  putAll(blobs: readonly NamedBlob[]): Promise<void>;
  /**
   * Removes kept content; absent content is not an error. Only for a caller that alone stored these bytes: bytes that
   * live as long as one response belong in `putTemporary`.
   */
  delete(digest: Sha256Digest): Promise<void>;
  /**
   * Stores bytes for one owner (`^[a-z0-9-]{1,64}$`, e.g. a preflight's id), separate from the kept ones. Deleting them
   * affects neither another owner nor a request that kept the same bytes. Not fsynced.
   */
  putTemporary(bytes: Uint8Array, owner: string): Promise<Sha256Digest>;
  /** Removes the bytes that an owner stored under a digest; absent content is not an error. */
  deleteTemporary(digest: Sha256Digest, owner: string): Promise<void>;
  /**
   * Retires kept content: it can still be read, and storing the same bytes keeps them again. Absent content is not an
   * error. `removeRetired` removes it.
   */
  retire(digest: Sha256Digest): Promise<void>;
  /**
   * Removes content that was retired more than `olderThanMs` ago, and keeps content again that is still needed.
   * @param needed returns which of some contents a record names.
   * @returns the number of removed contents.
   */
  removeRetired(olderThanMs: number, needed: NeededContents): Promise<number>;
  /**
   * Removes temporary bytes and partial files older than `olderThanMs`, which a killed process left. Returns their
   * number.
   */
  sweep(olderThanMs: number): Promise<number>;
}

export type NeededContents = (digests: readonly Sha256Digest[]) => Promise<ReadonlySet<Sha256Digest>>;
