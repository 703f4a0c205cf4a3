import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * Remembers finished compilations. Keys are 64 hex digits; a lost or unreadable entry only costs another compilation.
 */
export interface CompileCache {
  get(key: string): Promise<Uint8Array | undefined>;
  put(key: string, value: Uint8Array): Promise<void>;
}

const DEFAULT_MAX_ENTRIES = 512;
const DEFAULT_MAX_BYTES = 2 * 1024 * 1024 * 1024;
const DIGEST_BYTES = 32;

export type CacheBounds = { readonly maxEntries?: number; readonly maxBytes?: number };

const digestOf = (value: Uint8Array): Buffer => createHash('sha256').update(value).digest();

/**
 * Keeps one file per key in `dir`. Each is written under a temporary name and renamed, and begins with its own SHA-256,
 * so a torn or altered file reads as absent. Beyond `maxEntries` or `maxBytes` the oldest entries are deleted. No other
 * service may have write access to the folder.
 */
export function createFileCompileCache(
  dir: string,
  { maxEntries = DEFAULT_MAX_ENTRIES, maxBytes = DEFAULT_MAX_BYTES }: CacheBounds = {},
): CompileCache {
  async function evict(): Promise<void> {
    const names = await readdir(dir);
    const aged = await Promise.all(
      names.map(async (name) => ({
        name,
        ...(await stat(path.join(dir, name)).then(
          ({ mtimeMs, size }) => ({ at: mtimeMs, size }),
          () => ({ at: 0, size: 0 }),
        )),
      })),
    );
    aged.sort((a, b) => a.at - b.at);
    let bytes = aged.reduce((sum, { size }) => sum + size, 0);
    for (const [gone, { name, size }] of aged.entries()) {
      if (names.length - gone <= maxEntries && bytes <= maxBytes) return;
      await rm(path.join(dir, name), { force: true });
      bytes -= size;
    }
  }

  return {
    async get(key) {
      let file: Buffer;
      try {
        file = await readFile(path.join(dir, key));
      } catch {
        return undefined;
      }
      const value = file.subarray(DIGEST_BYTES);
      return digestOf(value).equals(file.subarray(0, DIGEST_BYTES)) ? new Uint8Array(value) : undefined;
    },
    async put(key, value) {
      await mkdir(dir, { recursive: true, mode: 0o700 });
      const draft = path.join(dir, `.${key}.${randomUUID()}`);
      try {
        const file = await open(draft, 'wx', 0o600);
        try {
          await file.writeFile(Buffer.concat([digestOf(value), value]));
        } finally {
          await file.close();
        }
        await rename(draft, path.join(dir, key));
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
      await evict();
    },
  };
}
