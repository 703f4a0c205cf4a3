import { mkdir, open } from 'node:fs/promises';
import path from 'node:path';

const DIRECTORY_MODE = 0o750;

/** Flushes a folder's entries: without it, a crash may lose a rename although the file's bytes were flushed. */
export async function syncDirectory(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export interface DirectoryKeeper {
  /** Creates `folder` below the root, and flushes every parent that names a part of the path. */
  ensure(folder: string): Promise<void>;
  /** Forgets all folders, after one turned out to be gone. */
  forget(): void;
}

/**
 * Remembers which folders this process has made durable, so that a typical put flushes one folder instead of four.
 * Flushes an existing folder on first use too: the process that created it may have died before its own flush.
 */
export function createDirectoryKeeper(root: string): DirectoryKeeper {
  const durable = new Map<string, Promise<void>>();

  async function make(folder: string): Promise<void> {
    if (folder === root) {
      await mkdir(root, { recursive: true, mode: DIRECTORY_MODE });
      await syncDirectory(path.dirname(root));
      return;
    }
    const parent = path.dirname(folder);
    await ensure(parent);
    await mkdir(folder, { recursive: true, mode: DIRECTORY_MODE });
    await syncDirectory(parent);
  }

  function ensure(folder: string): Promise<void> {
    const known = durable.get(folder);
    if (known !== undefined) return known;
    const made = make(folder);
    durable.set(folder, made);
    // The caller receives the failure; the next put tries again.
    made.catch(() => durable.delete(folder));
    return made;
  }

  return { ensure, forget: () => durable.clear() };
}
