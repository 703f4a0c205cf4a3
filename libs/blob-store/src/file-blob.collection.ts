import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { isSha256Digest } from '@launch/contracts/primitives';
import { io } from './blob.errors.js';
import type { BlobCollection, BlobFacts, ListedBlob } from './blob-collection.js';
import {
  emptyWhenAbsent,
  isFile,
  keptPath,
  moveAside,
  moveBack,
  removeIfPresent,
  undefinedWhenAbsent,
  UNREFERENCED,
  unreferencedPath,
} from './blob-files.js';
import { createDirectoryKeeper } from './durable-directory.js';

/** Creates the collection of a folder of blobs. */
export function createFileBlobCollection({ dir }: { readonly dir: string }): BlobCollection {
  const keeper = createDirectoryKeeper(dir);
  return {
    kept: () => listed(path.join(dir, 'kept'), 2),
    aside: () => listed(path.join(dir, UNREFERENCED), 0),
    async setAside(digest) {
      const from = keptPath(dir, digest);
      return io(digest, async () => {
        if (!(await isFile(from))) return 'absent';
        await moveAside(from, unreferencedPath(dir, digest), keeper);
        return 'set-aside';
      });
    },
    async restore(digest) {
      const from = unreferencedPath(dir, digest);
      const to = keptPath(dir, digest);
      await io(digest, async () => {
        // A writer may have kept the bytes again since.
        if (await isFile(to)) await removeIfPresent(from);
        else await moveBack(from, to, keeper);
      });
    },
    async remove(digest, before) {
      const file = unreferencedPath(dir, digest);
      return io(digest, async () => {
        const facts = await factsOf(file);
        if (facts === null || facts.at > before) return false;
        await removeIfPresent(file);
        return true;
      });
    },
  };
}

/** Lists the files under folders of two hexadecimal digits each, so that the order of names is that of digests. */
async function* listed(root: string, levels: number): AsyncIterable<ListedBlob> {
  const names = await io('', async () => (await readdir(root).catch(emptyWhenAbsent)).sort());
  for (const name of names) {
    const at = path.join(root, name);
    if (levels > 0) {
      if (/^[0-9a-f]{2}$/.test(name)) yield* listed(at, levels - 1);
      continue;
    }
    const digest = `sha256:${name}`;
    if (isSha256Digest(digest)) yield { digest, facts: () => io(digest, () => factsOf(at)) };
  }
}

async function factsOf(file: string): Promise<BlobFacts | null> {
  const found = await stat(file).catch(undefinedWhenAbsent);
  return found === undefined ? null : { at: found.mtimeMs, byteLength: found.size };
}
