import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';

const root = path.resolve(import.meta.dirname, '../../../..');

/** SHA-256 by file, relative to the workspace's root: what a bundle was made of. */
const sourceHashes = z.record(z.string(), z.string());
export type SourceHashes = z.infer<typeof sourceHashes>;

/** What decides about every bundle beside its sources: the packages' versions, and how we bundle. */
const ALWAYS = [path.join(root, 'package-lock.json'), path.join(import.meta.dirname, 'bundle-workflows.ts')];

async function hashOf(file: string): Promise<string | undefined> {
  const bytes = await readFile(file).catch(() => undefined);
  return bytes === undefined ? undefined : createHash('sha256').update(bytes).digest('hex');
}

/** @param files absolute; one that is not on the disk was made by the bundler itself, and is left out. */
export async function hashesOf(files: readonly string[]): Promise<SourceHashes> {
  const hashes: SourceHashes = {};
  for (const file of [...ALWAYS, ...files]) {
    const hash = await hashOf(file);
    if (hash !== undefined) hashes[path.relative(root, file)] = hash;
  }
  return hashes;
}

/** Whether all files are what they were. @param kept what a manifest says of them; anything else than hashes is no. */
export async function areUnchanged(kept: unknown): Promise<boolean> {
  const { success, data } = sourceHashes.safeParse(kept);
  if (!success) return false;
  const checks = Object.entries(data).map(async ([file, hash]) => (await hashOf(path.join(root, file))) === hash);
  return (await Promise.all(checks)).every(Boolean);
}
