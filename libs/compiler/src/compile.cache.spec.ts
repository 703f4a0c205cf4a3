import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { createFileCompileCache } from './compile.cache.js';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'compile-cache-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

it.each([
  ['entries', { maxEntries: 2 }],
  ['bytes', { maxBytes: 2_500 }],
])('The cache drops its oldest files past its bound of %s.', async (_what, bounds) => {
  const cache = createFileCompileCache(dir, bounds);
  for (const key of ['first', 'second', 'third']) {
    await cache.put(key, new Uint8Array(1_000));
    // File systems keep times in steps.
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect((await readdir(dir)).sort()).toEqual(['second', 'third']);
});
