import { constants } from 'node:fs';
import { open, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { isSha256Digest, sha256Digest, type Sha256Digest } from '@launch/contracts/primitives';
import { BlobError, io } from './blob.errors.js';
import {
  emptyWhenAbsent,
  isFile,
  keptPath,
  moveAside,
  moveBack,
  removeIfPresent,
  RETIRED,
  retiredPath,
  undefinedWhenAbsent,
  unreferencedPath,
} from './blob-files.js';
import { DEFAULT_MAX_BYTES, hexOf, NAMES_AT_ONCE, ownerOf } from './blob-names.js';
import type { BlobReader, BlobStore, NamedBlob } from './blob.store.js';
import { contentDigest } from './content-digest.js';
import { createDirectoryKeeper, syncDirectory } from './durable-directory.js';
import { writeFiles, type NewFile } from './durable-files.js';

export type FileBlobStoreOptions = {
  /** Root folder; created when absent (by the writing store only). */
  readonly dir: string;
  /** Largest content accepted and returned, in bytes. Defaults to 32 MiB: twice the largest request body. */
  readonly maxBytes?: number;
};

/**
 * Creates a blob store of files under `<dir>/kept/ab/cd/<64 hex>` (first two bytes of the digest), with temporary ones
 * under `<dir>/temporary/ab/cd/<64 hex>.<owner>`, retired ones as `<dir>/retired/<64 hex>` and those that a collection
 * set aside as `<dir>/unreferenced/<64 hex>`. It writes each file under `<dir>/incoming`, fsyncs and renames it, and fsyncs the folders that name it, so a name never refers to partial
 * content.
 */
export function createFileBlobStore(options: FileBlobStoreOptions): BlobStore {
  const { dir, maxBytes = DEFAULT_MAX_BYTES } = options;
  const reader = createReadOnlyFileBlobStore(options);
  const keeper = createDirectoryKeeper(dir);
  const incoming = path.join(dir, 'incoming');

  function nameFor(bytes: Uint8Array, known?: Sha256Digest): Sha256Digest {
    if (bytes.byteLength > maxBytes) {
      throw new BlobError('BLOB_TOO_LARGE', { byteLength: bytes.byteLength, maxBytes });
    }
    return known ?? sha256Digest(bytes);
  }

  async function keepAll(blobs: readonly NamedBlob[]): Promise<void> {
    const named = new Map(blobs.map(({ bytes, digest }) => [nameFor(bytes, digest), bytes]));
    const files: NewFile[] = [];
    const present = new Set<string>();
    await Promise.all(
      [...named].map(async ([digest, bytes]) => {
        const target = keptPath(dir, digest);
        const kept = await io(digest, () => read(target, digest, maxBytes).catch(absentWhenUnusable));
        if (kept === undefined) files.push({ bytes, target });
        else present.add(path.dirname(target));
      }),
    );
    // The files take their steps together, so a failure of any file is reported for the first digest.
    await io(blobs[0]?.digest ?? '', async () => {
      await writeFiles(files, { incoming, keeper, isDurable: true });
      // Another writer may have renamed it without an fsync of the folder yet, so fsync before resolving.
      for (const folder of present) {
        await keeper.ensure(folder);
        await syncDirectory(folder);
      }
    });
  }

  return {
    get: reader.get,
    has: reader.has,
    async put(bytes, known) {
      // Copy: the caller's buffer may change during the write, and a name must refer to the hashed bytes.
      const copy = known === undefined ? new Uint8Array(bytes) : bytes;
      const digest = nameFor(copy, known);
      await keepAll([{ bytes: copy, digest }]);
      return digest;
    },
    putAll: keepAll,
    async delete(digest) {
      const target = keptPath(dir, digest);
      await io(digest, () => removeIfPresent(target));
    },
    async retire(digest) {
      const from = keptPath(dir, digest);
      await io(digest, () => moveAside(from, retiredPath(dir, digest), keeper));
    },
    async removeRetired(olderThanMs, needed) {
      const before = Date.now() - olderThanMs;
      const old = await io('retired', () => retiredBefore(dir, before));
      let removed = 0;
      for (let from = 0; from < old.length; from += NAMES_AT_ONCE) {
        const some = old.slice(from, from + NAMES_AT_ONCE);
        const kept = await needed(some);
        for (const digest of some) {
          const file = retiredPath(dir, digest);
          if (kept.has(digest)) await io(digest, () => moveBack(file, keptPath(dir, digest), keeper));
          else {
            await io(digest, () => removeIfPresent(file));
            removed += 1;
          }
        }
      }
      return removed;
    },
    async putTemporary(bytes, owner) {
      const copy = new Uint8Array(bytes);
      const digest = nameFor(copy);
      const target = temporaryPath(dir, digest, owner);
      await io(digest, () => writeFiles([{ bytes: copy, target }], { incoming, keeper, isDurable: false }));
      return digest;
    },
    async deleteTemporary(digest, owner) {
      const target = temporaryPath(dir, digest, owner);
      await io(digest, () => removeIfPresent(target));
    },
    async sweep(olderThanMs) {
      const before = Date.now() - olderThanMs;
      return io('sweep', async () => {
        let removed = 0;
        for (const root of ['incoming', 'temporary'])
          removed += await removeFilesOlderThan(path.join(dir, root), before);
        return removed;
      });
    },
  };
}

/**
 * Creates a store over the same files without write methods, for a process with a read-only mount. Never creates the
 * folder.
 */
export function createReadOnlyFileBlobStore({ dir, maxBytes = DEFAULT_MAX_BYTES }: FileBlobStoreOptions): BlobReader {
  return {
    async get(digest) {
      const kept = keptPath(dir, digest);
      return io(digest, async () => {
        const fromKept = await read(kept, digest, maxBytes);
        if (fromKept !== undefined) return fromKept;
        for (const candidate of await temporaryCandidates(dir, digest)) {
          const found = await read(candidate, digest, maxBytes);
          if (found !== undefined) return found;
        }
        for (const aside of [retiredPath(dir, digest), unreferencedPath(dir, digest)]) {
          const found = await read(aside, digest, maxBytes);
          if (found !== undefined) return found;
        }
        // Between the two reads, a request may have kept the bytes while its preflight's temporary copy was removed, or
        // they may have been kept again after a retirement.
        const keptSince = await read(kept, digest, maxBytes);
        if (keptSince !== undefined) return keptSince;
        throw new BlobError('BLOB_ABSENT', { digest });
      });
    },
    async has(digest) {
      const kept = keptPath(dir, digest);
      return io(
        digest,
        async () =>
          (await isFile(kept)) ||
          (await temporaryCandidates(dir, digest)).length > 0 ||
          (await isFile(retiredPath(dir, digest))) ||
          (await isFile(unreferencedPath(dir, digest))),
      );
    },
  };
}

function temporaryPath(dir: string, digest: Sha256Digest, owner: string): string {
  const hex = hexOf(digest);
  return path.join(dir, 'temporary', hex.slice(0, 2), hex.slice(2, 4), `${hex}.${ownerOf(digest, owner)}`);
}

async function temporaryCandidates(dir: string, digest: Sha256Digest): Promise<string[]> {
  const hex = hexOf(digest);
  const folder = path.join(dir, 'temporary', hex.slice(0, 2), hex.slice(2, 4));
  const names = await readdir(folder).catch(emptyWhenAbsent);
  return names.filter((name) => name.startsWith(`${hex}.`)).map((name) => path.join(folder, name));
}

/**
 * Returns the file's bytes if they hash to `digest`; undefined if there is no such file. Throws for every other
 * outcome.
 */
async function read(file: string, digest: Sha256Digest, maxBytes: number): Promise<Uint8Array | undefined> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW).catch(undefinedWhenAbsent);
  if (handle === undefined) return undefined;
  try {
    const { size } = await handle.stat();
    if (size > maxBytes) throw new BlobError('BLOB_TOO_LARGE', { digest, byteLength: size, maxBytes });
    const bytes = new Uint8Array(await handle.readFile());
    if ((await contentDigest(bytes)) !== digest)
      throw new BlobError('BLOB_CORRUPT', { digest, byteLength: bytes.byteLength });
    return bytes;
  } finally {
    await handle.close();
  }
}

async function retiredBefore(dir: string, before: number): Promise<Sha256Digest[]> {
  const root = path.join(dir, RETIRED);
  const old: Sha256Digest[] = [];
  for (const name of await readdir(root).catch(emptyWhenAbsent)) {
    const digest = `sha256:${name}`;
    const found = await stat(path.join(root, name)).catch(undefinedWhenAbsent);
    if (found !== undefined && found.mtimeMs <= before && isSha256Digest(digest)) old.push(digest);
  }
  return old;
}

async function removeFilesOlderThan(root: string, before: number): Promise<number> {
  const entries = await readdir(root, { withFileTypes: true }).catch(emptyWhenAbsent);
  let removed = 0;
  for (const entry of entries) {
    const full = path.join(root, entry.name);
    if (entry.isDirectory()) {
      removed += await removeFilesOlderThan(full, before);
      continue;
    }
    const found = await stat(full).catch(undefinedWhenAbsent);
    if (found === undefined || found.mtimeMs > before) continue;
    await rm(full, { force: true });
    removed += 1;
  }
  return removed;
}

/** Treats a corrupt or oversized copy as absent, so that `put` replaces it. */
function absentWhenUnusable(error: unknown): undefined {
  if (error instanceof BlobError && (error.code === 'BLOB_CORRUPT' || error.code === 'BLOB_TOO_LARGE'))
    return undefined;
  throw error;
}
