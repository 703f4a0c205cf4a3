import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';

export const workspaceRoot = path.resolve(import.meta.dirname, '../../../..');

/** SHA-256 of each input of a bundle, by its path relative to the workspace's root. */
const sourceHashes = z.record(z.string(), z.string());
type SourceHashes = z.infer<typeof sourceHashes>;

/** The inputs of every bundle in addition to its sources: the packages' versions, and the bundling code. */
const ALWAYS = ['package-lock.json', 'libs/worker/src/bundle/bundle-workflows.ts'].map((file) =>
  path.join(workspaceRoot, file),
);

/** Errors for names from the bundler that are not files: generated modules, and folders that it searched. */
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

/** Hashes files. @param files absolute paths; names that are not files on the disk are omitted. */
export async function hashesOf(files: readonly string[]): Promise<SourceHashes> {
  const hashes: SourceHashes = {};
  for (const file of [...ALWAYS, ...files]) {
    const hash = await hashOf(file);
    if (hash !== undefined) hashes[path.relative(workspaceRoot, file)] = hash;
  }
  return hashes;
}

/** Reports whether all files are unchanged. @param kept the hashes in a manifest; any other value gives false. */
export async function areUnchanged(kept: unknown): Promise<boolean> {
  const { success, data } = sourceHashes.safeParse(kept);
  if (!success) return false;
  const checks = Object.entries(data).map(
    async ([file, hash]) => (await hashOf(path.join(workspaceRoot, file))) === hash,
  );
  return (await Promise.all(checks)).every(Boolean);
}
