import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';

export const workspaceRoot = path.resolve(import.meta.dirname, '../../../..');

/** SHA-256 by file, relative to the workspace's root: what a bundle was made of. */
const sourceHashes = z.record(z.string(), z.string());
type SourceHashes = z.infer<typeof sourceHashes>;

/** What decides about every bundle beside its sources: the packages' versions, and how we bundle. */
const ALWAYS = ['package-lock.json', 'libs/worker/src/bundle/bundle-workflows.ts'].map((file) =>
  path.join(workspaceRoot, file),
);

/** What the bundler names beside files: modules that it made itself, and folders that it looked into. */
const NO_FILE = new Set(['ENOENT', 'EISDIR']);

async function hashOf(file: string): Promise<string | undefined> {
  try {
    return createHash('sha256')
      .update(await readFile(file))
      .digest('hex');
  } catch (error) {
    if (NO_FILE.has((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

/** @param files absolute; what is no file on the disk is left out. */
export async function hashesOf(files: readonly string[]): Promise<SourceHashes> {
  const hashes: SourceHashes = {};
  for (const file of [...ALWAYS, ...files]) {
    const hash = await hashOf(file);
    if (hash !== undefined) hashes[path.relative(workspaceRoot, file)] = hash;
  }
  return hashes;
}

/** Whether all files are what they were. @param kept what a manifest says of them; anything else than hashes is no. */
export async function areUnchanged(kept: unknown): Promise<boolean> {
  const { success, data } = sourceHashes.safeParse(kept);
  if (!success) return false;
  const checks = Object.entries(data).map(
    async ([file, hash]) => (await hashOf(path.join(workspaceRoot, file))) === hash,
  );
  return (await Promise.all(checks)).every(Boolean);
}
