import { rename, stat, unlink, utimes } from 'node:fs/promises';
import path from 'node:path';
import type { Sha256Digest } from '@launch/contracts/primitives';
import { errnoOf } from './blob.errors.js';
import { hexOf } from './blob-names.js';
import { syncDirectory, type DirectoryKeeper } from './durable-directory.js';

export const RETIRED = 'retired';
export const UNREFERENCED = 'unreferenced';

export function keptPath(dir: string, digest: Sha256Digest): string {
  const hex = hexOf(digest);
  return path.join(dir, 'kept', hex.slice(0, 2), hex.slice(2, 4), hex);
}

export function retiredPath(dir: string, digest: Sha256Digest): string {
  return path.join(dir, RETIRED, hexOf(digest));
}

export function unreferencedPath(dir: string, digest: Sha256Digest): string {
  return path.join(dir, UNREFERENCED, hexOf(digest));
}

export async function isFile(file: string): Promise<boolean> {
  const found = await stat(file).catch(undefinedWhenAbsent);
  return found?.isFile() ?? false;
}

/** Sets the file's time before its rename, so that no crash leaves an older time under the new name. */
export async function moveAside(from: string, to: string, keeper: DirectoryKeeper): Promise<void> {
  const now = new Date();
  await keeper.ensure(path.dirname(to));
  const isThere = await utimes(from, now, now).then(() => true, undefinedWhenAbsent);
  if (isThere !== true) return;
  await rename(from, to).catch(undefinedWhenAbsent);
  await syncDirectory(path.dirname(to));
}

export async function moveBack(from: string, to: string, keeper: DirectoryKeeper): Promise<void> {
  await keeper.ensure(path.dirname(to));
  await rename(from, to).catch(undefinedWhenAbsent);
  await syncDirectory(path.dirname(to));
}

export async function removeIfPresent(file: string): Promise<void> {
  const removed = await unlink(file)
    .then(() => true)
    .catch(undefinedWhenAbsent);
  if (removed === true) await syncDirectory(path.dirname(file));
}

export function undefinedWhenAbsent(error: unknown): undefined {
  if (errnoOf(error) === 'ENOENT') return undefined;
  throw error;
}

export function emptyWhenAbsent(error: unknown): [] {
  if (errnoOf(error) === 'ENOENT') return [];
  throw error;
}
