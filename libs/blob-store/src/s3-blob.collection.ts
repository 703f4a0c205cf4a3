import { isSha256Digest, type Sha256Digest } from '@launch/contracts/primitives';
import type { BlobCollection, ListedBlob } from './blob-collection.js';
import { DEFAULT_MAX_BYTES, hexOf } from './blob-names.js';
import type { S3BlobStoreOptions } from './s3-blob.store.js';
import { createS3Objects, hashesTo, KEPT, UNREFERENCED } from './s3-objects.js';

/** Creates the collection of the objects of a bucket. Its credentials read, list, write and delete. */
export function createS3BlobCollection(options: S3BlobStoreOptions): BlobCollection {
  const { maxBytes = DEFAULT_MAX_BYTES } = options;
  const objects = createS3Objects(options, options);

  async function* listed(place: string, from = place): AsyncIterable<ListedBlob> {
    for await (const { key, writtenAt, byteLength } of objects.list(from)) {
      const digest = `sha256:${key.slice(place.length)}`;
      if (isSha256Digest(digest)) yield { digest, facts: async () => ({ at: writtenAt, byteLength }) };
    }
  }

  async function setAsideAt(digest: Sha256Digest): Promise<number | null> {
    for await (const one of listed(UNREFERENCED, UNREFERENCED + hexOf(digest))) return (await one.facts())?.at ?? null;
    return null;
  }

  return {
    kept: () => listed(KEPT),
    aside: () => listed(UNREFERENCED),
    async setAside(digest) {
      const hex = hexOf(digest);
      const found = await objects.read(KEPT + hex, digest, maxBytes);
      if (found === undefined) return 'absent';
      // A writer replaces only corrupt content. Between copy and removal it would lose its bytes.
      if (!(await hashesTo(found, digest))) return 'corrupt';
      // The copy comes first, so that the content can be read at all times. Its own time starts the grace period.
      if (!(await objects.copy(KEPT + hex, UNREFERENCED + hex, digest))) return 'absent';
      await objects.remove(KEPT + hex);
      return 'set-aside';
    },
    async restore(digest) {
      const hex = hexOf(digest);
      if (!(await objects.isThere(KEPT + hex, digest))) await objects.copy(UNREFERENCED + hex, KEPT + hex, digest);
      await objects.remove(UNREFERENCED + hex);
    },
    async remove(digest, before) {
      const at = await setAsideAt(digest);
      if (at === null || at > before) return false;
      await objects.remove(UNREFERENCED + hexOf(digest));
      return true;
    },
  };
}
