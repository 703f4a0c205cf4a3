import type { Sha256Digest } from '@launch/contracts/primitives';

/** The time and size of stored content. */
export interface BlobFacts {
  /** The last write of kept content, or the time when content was set aside. */
  readonly at: number;
  readonly byteLength: number;
}

export interface ListedBlob {
  readonly digest: Sha256Digest;
  /** Returns null if the content has gone since. */
  facts(): Promise<BlobFacts | null>;
}

/**
 * The operations on a blob store by which a collection removes content that no record names. Content set aside is still
 * read by every reader, apart from retired content, and storing the same bytes keeps them again.
 */
export interface BlobCollection {
  /** Lists kept content in ascending order of digests. */
  kept(): AsyncIterable<ListedBlob>;
  /** Lists content that was set aside, in ascending order of digests. */
  aside(): AsyncIterable<ListedBlob>;
  /** Sets kept content aside. Repeats the unfinished work of a killed process. */
  setAside(digest: Sha256Digest): Promise<'set-aside' | 'absent' | 'corrupt'>;
  /** Keeps content again that was set aside. */
  restore(digest: Sha256Digest): Promise<void>;
  /** Removes content that was set aside at that time or before. Returns whether it did. */
  remove(digest: Sha256Digest, before: number): Promise<boolean>;
}
