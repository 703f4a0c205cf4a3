import { randomUUID } from 'node:crypto';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { errnoOf } from './blob.errors.js';
import { syncDirectory, type DirectoryKeeper } from './durable-directory.js';

const FILE_MODE = 0o640;
/** Files open at once: a process may write a thousand files, and other writers need descriptors too. */
const FILES_AT_ONCE = 32;

export interface NewFile {
  readonly bytes: Uint8Array;
  /** The whole path, below the keeper's root. */
  readonly target: string;
}

/**
 * Writes files that are never visible in part: each is written under a temporary name in `incoming`, then renamed. All
 * files take each step together. A flush makes the file system commit every earlier write, so the flushes of one step
 * share their wait.
 * @param isDurable whether files and folders are flushed, so that they survive a crash of the machine.
 */
export async function writeFiles(
  files: readonly NewFile[],
  { incoming, keeper, isDurable }: { incoming: string; keeper: DirectoryKeeper; isDurable: boolean },
): Promise<void> {
  for (let from = 0; from < files.length; from += FILES_AT_ONCE)
    await writeTogether(files.slice(from, from + FILES_AT_ONCE), incoming, keeper, isDurable);
}

async function writeTogether(
  files: readonly NewFile[],
  incoming: string,
  keeper: DirectoryKeeper,
  isDurable: boolean,
): Promise<void> {
  const folders = [...new Set(files.map(({ target }) => path.dirname(target)))];
  const drafts = files.map(({ bytes, target }) => ({
    bytes,
    target,
    draft: path.join(incoming, `${path.basename(target)}.${randomUUID()}`),
  }));
  await keeper.ensure(incoming);
  // Create and flush the folders concurrently with the bytes.
  const places = all(folders, (folder) => keeper.ensure(folder));
  places.catch(() => undefined);
  try {
    await writeDrafts(drafts, isDurable);
    await places;
    await all(drafts, ({ draft, target }) => rename(draft, target));
  } catch (error) {
    // Another process removed a folder that this process had created: the next put creates it again.
    if (errnoOf(error) === 'ENOENT') keeper.forget();
    await all(drafts, ({ draft }) => rm(draft, { force: true }));
    throw error;
  }
  if (isDurable) await all(folders, syncDirectory);
}

async function writeDrafts(
  drafts: readonly { readonly draft: string; readonly bytes: Uint8Array }[],
  isDurable: boolean,
): Promise<void> {
  const opened: FileHandle[] = [];
  try {
    await all(drafts, async ({ draft, bytes }) => {
      const file = await open(draft, 'wx', FILE_MODE);
      opened.push(file);
      await writeWhole(file, bytes);
    });
    if (isDurable) await all(opened, (file) => file.sync());
  } finally {
    await all(opened, (file) => file.close());
  }
}

/** Writes in one call if the system accepts it: `writeFile` schedules a thread of the pool for each 512 KiB. */
async function writeWhole(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.byteLength;) at += (await file.write(bytes, at)).bytesWritten;
}

/** Runs a step for every item, and throws the first failure after all steps have ended. */
async function all<T>(items: readonly T[], step: (item: T) => Promise<unknown>): Promise<void> {
  const outcomes = await Promise.allSettled(items.map(step));
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}
