import { isSha256Digest, sha256Digest, type Sha256Digest } from '@launch/contracts/primitives';
import { BlobError } from './blob.errors.js';
import { DEFAULT_MAX_BYTES, hexOf, NAMES_AT_ONCE, ownerOf } from './blob-names.js';
import type { BlobReader, BlobStore, NamedBlob } from './blob.store.js';
import {
  createS3Objects,
  hashesTo,
  KEPT,
  UNREFERENCED,
  type S3Access,
  type S3Bucket,
  type S3Objects,
} from './s3-objects.js';

export type { S3Bucket } from './s3-objects.js';

export type S3BlobStoreOptions = S3Bucket &
  S3Access & {
    /** Largest content accepted and returned, in bytes. Defaults to 32 MiB: twice the largest request body. */
    readonly maxBytes?: number;
  };

const TEMPORARY = 'temporary/';
const RETIRED = 'retired/';
const WRITES_AT_ONCE = 16;
/** Rounds of a write that other writers of the same content overtake. */
const ROUNDS = 3;

/**
 * Creates a blob store of objects under `<prefix>kept/<64 hex>`, with temporary ones as `<prefix>temporary/<64
 * hex>.<owner>`, retired ones as `<prefix>retired/<64 hex>` and those that a collection set aside as
 * `<prefix>unreferenced/<64 hex>`. S3 checks the digest of each write, and a write never
 * replaces content that hashes to its name.
 */
export function createS3BlobStore(options: S3BlobStoreOptions): BlobStore {
  const { maxBytes = DEFAULT_MAX_BYTES } = options;
  const objects = createS3Objects(options, options);

  function nameFor(bytes: Uint8Array, known?: Sha256Digest): Sha256Digest {
    if (bytes.byteLength > maxBytes) throw new BlobError('BLOB_TOO_LARGE', { byteLength: bytes.byteLength, maxBytes });
    return known ?? sha256Digest(bytes);
  }

  /** The key may exist: then its content is verified, and replaced if it is corrupt. */
  async function keep({ bytes, digest }: NamedBlob): Promise<void> {
    const key = KEPT + hexOf(digest);
    for (let round = 0; round < ROUNDS; round += 1) {
      if (await objects.create(key, digest, bytes)) return;
      const found = await objects.read(key, digest, maxBytes);
      if (found === undefined) continue;
      if (await hashesTo(found, digest)) return;
      if (await objects.replace(key, digest, bytes, found.etag)) return;
    }
    throw new BlobError('BLOB_UNAVAILABLE', { digest });
  }

  async function keepAll(blobs: readonly NamedBlob[]): Promise<void> {
    const named = new Map(blobs.map((blob) => [nameFor(blob.bytes, blob.digest), blob]));
    const all = [...named.values()];
    for (let from = 0; from < all.length; from += WRITES_AT_ONCE) {
      const outcomes = await Promise.allSettled(all.slice(from, from + WRITES_AT_ONCE).map(keep));
      for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
    }
  }

  return {
    ...readerOf(objects, maxBytes),
    async put(bytes, known) {
      // Copy: the caller's buffer may change during the write, and a name must refer to the hashed bytes.
      const copy = known === undefined ? new Uint8Array(bytes) : bytes;
      const digest = nameFor(copy, known);
      await keep({ bytes: copy, digest });
      return digest;
    },
    putAll: keepAll,
    async delete(digest) {
      await objects.remove(KEPT + hexOf(digest));
    },
    async retire(digest) {
      const hex = hexOf(digest);
      // The copy comes first, so that the content can be read at all times. Its own time starts the grace period.
      if (await objects.copy(KEPT + hex, RETIRED + hex, digest)) await objects.remove(KEPT + hex);
    },
    async removeRetired(olderThanMs, needed) {
      const before = Date.now() - olderThanMs;
      const old: Sha256Digest[] = [];
      for await (const { key, writtenAt } of objects.list(RETIRED)) {
        const digest = `sha256:${key.slice(RETIRED.length)}`;
        if (writtenAt <= before && isSha256Digest(digest)) old.push(digest);
      }
      let removed = 0;
      for (let from = 0; from < old.length; from += NAMES_AT_ONCE) {
        const some = old.slice(from, from + NAMES_AT_ONCE);
        const kept = await needed(some);
        for (const digest of some) {
          const hex = hexOf(digest);
          if (!kept.has(digest)) removed += 1;
          else if (!(await objects.isThere(KEPT + hex, digest))) await objects.copy(RETIRED + hex, KEPT + hex, digest);
          await objects.remove(RETIRED + hex);
        }
      }
      return removed;
    },
    async putTemporary(bytes, owner) {
      const copy = new Uint8Array(bytes);
      const digest = nameFor(copy);
      await objects.write(`${TEMPORARY}${hexOf(digest)}.${ownerOf(digest, owner)}`, digest, copy);
      return digest;
    },
    async deleteTemporary(digest, owner) {
      await objects.remove(`${TEMPORARY}${hexOf(digest)}.${ownerOf(digest, owner)}`);
    },
    async sweep(olderThanMs) {
      const before = Date.now() - olderThanMs;
      let removed = 0;
      for await (const { key, writtenAt } of objects.list(TEMPORARY)) {
        if (writtenAt > before) continue;
        await objects.remove(key);
        removed += 1;
      }
      return removed;
    },
  };
}

/** Creates a store over the same objects without write methods, for a process whose credentials only read. */
export const createReadOnlyS3BlobStore = (options: S3BlobStoreOptions): BlobReader =>
  readerOf(createS3Objects(options, options), options.maxBytes ?? DEFAULT_MAX_BYTES);

function readerOf(objects: S3Objects, maxBytes: number): BlobReader {
  async function read(key: string, digest: Sha256Digest): Promise<Uint8Array | undefined> {
    const found = await objects.read(key, digest, maxBytes);
    if (found === undefined) return undefined;
    const { bytes, byteLength } = found;
    if (bytes === null) throw new BlobError('BLOB_TOO_LARGE', { digest, byteLength, maxBytes });
    if (!(await hashesTo(found, digest))) throw new BlobError('BLOB_CORRUPT', { digest, byteLength });
    return bytes;
  }

  async function temporaryKeys(hex: string): Promise<string[]> {
    const keys: string[] = [];
    for await (const { key } of objects.list(`${TEMPORARY}${hex}.`)) keys.push(key);
    return keys;
  }

  return {
    async get(digest) {
      const hex = hexOf(digest);
      const kept = await read(KEPT + hex, digest);
      if (kept !== undefined) return kept;
      for (const key of await temporaryKeys(hex)) {
        const found = await read(key, digest);
        if (found !== undefined) return found;
      }
      // A request may have kept the bytes while its preflight's copy was removed, or they were kept again after a
      // retirement.
      for (const place of [RETIRED, UNREFERENCED, KEPT]) {
        const found = await read(place + hex, digest);
        if (found !== undefined) return found;
      }
      throw new BlobError('BLOB_ABSENT', { digest });
    },
    async has(digest) {
      const hex = hexOf(digest);
      return (
        (await objects.isThere(KEPT + hex, digest)) ||
        (await temporaryKeys(hex)).length > 0 ||
        (await objects.isThere(RETIRED + hex, digest)) ||
        (await objects.isThere(UNREFERENCED + hex, digest))
      );
    },
  };
}
